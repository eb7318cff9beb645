import type { Uuid } from '../json/index.js';
import type { Storage, StoredRecord } from '../storage/index.js';
import type { ProcessAction } from './process-events.js';
import { instanceStreamId } from './process-keys.js';

/** What happened in an instance of a process, for operators. */
export interface InstanceStep {
  readonly kind: 'processed' | 'ignored' | 'completed';
  /** When, in milliseconds since 1970. */
  readonly at: number;
  readonly correlationId: Uuid;
  /** The event that the instance received; null if it no longer exists, and for completion. */
  readonly event: Pick<StoredRecord, 'id' | 'type' | 'streamId' | 'timestamp' | 'causationId'> | null;
  /** What the process did, in order. Times are JSON text. */
  readonly actions: readonly (Omit<ProcessAction, 'dueAt'> & { readonly dueAt?: string })[];
}

const kinds: Readonly<Record<string, InstanceStep['kind']>> = {
  'svc.ProcessAdvanced': 'processed',
  'svc.ProcessEventIgnored': 'ignored',
  'svc.ProcessCompleted': 'completed',
};

/** Reads the history of an instance in order; `tenant` '' for none. Nothing if it does not exist. */
export async function* readInstanceSteps(
  storage: Storage,
  process: string,
  tenant: string,
  key: string,
): AsyncIterable<InstanceStep> {
  for await (const { type, body, timestamp, correlationId } of storage.readStream(
    instanceStreamId(process, tenant, key),
  )) {
    const kind = kinds[type];
    // A stream is open to everything that knows its id.
    if (kind === undefined) continue;
    const { eventId, actions = [] } = JSON.parse(body) as { eventId?: Uuid; actions?: InstanceStep['actions'] };
    const event = eventId === undefined ? null : await storage.findEvent(eventId);
    yield { kind, at: timestamp, correlationId, event, actions };
  }
}
