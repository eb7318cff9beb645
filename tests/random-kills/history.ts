import type { Storage, StoredRecord } from '@svc/core/storage';
import type { SentRequest } from './requests.js';

/** A stored event with what the checks need of it. */
export interface HistoryEvent extends Pick<
  StoredRecord,
  'id' | 'type' | 'streamId' | 'position' | 'correlationId' | 'causationId'
> {
  readonly body: Readonly<Record<string, unknown>>;
  /** The host that it came from; null: it is an own event. */
  readonly origin: string | null;
}

/** Everything that a shop has stored, and what its callers know. */
export interface History {
  readonly shop: string;
  readonly requests: readonly SentRequest[];
  /** In the order of the log. */
  readonly events: readonly HistoryEvent[];
  readonly instances: readonly {
    readonly key: string;
    readonly events: number;
    readonly ignored: number;
    readonly isCompleted: boolean;
  }[];
  /** The failed streams of reactions, as text. */
  readonly failedStreams: readonly string[];
  readonly deadLetters: readonly string[];
  /** The keys of the scheduled commands, '' for none. */
  readonly scheduled: readonly string[];
}

const pageSize = 1_000;

export async function readHistory(shop: string, storage: Storage, requests: readonly SentRequest[]): Promise<History> {
  const events: HistoryEvent[] = [];
  for await (const { id, type, body, streamId, position, correlationId, causationId, metadata } of storage.readAll()) {
    const origin = (metadata['origin'] as string | undefined) ?? null;
    const parsed = JSON.parse(body) as HistoryEvent['body'];
    events.push({ id, type, body: parsed, streamId, position, correlationId, causationId, origin });
  }
  return {
    shop,
    requests,
    events,
    instances: await instancesIn(storage),
    failedStreams: await failedStreamsIn(storage),
    deadLetters: (await storage.readDeadLetters(null, pageSize)).map(
      ({ direction, cause, message }) => `${direction} ${message.type}: ${cause}`,
    ),
    scheduled: (await storage.schedule!.read(pageSize)).map(({ key }) => key ?? ''),
  };
}

async function instancesIn(storage: Storage): Promise<History['instances']> {
  const instances = [];
  for (let after = null; ;) {
    const page = await storage.processes!.readInstances({ isOpen: false, after }, pageSize);
    instances.push(...page);
    if (page.length < pageSize) return instances;
    after = page.at(-1)!.streamId;
  }
}

async function failedStreamsIn(storage: Storage): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await storage.reactions!.readStandings(1)) {
    for (const { streamId, eventId, attempts, errorMessage } of await storage.reactions!.readFailed(
      name,
      null,
      pageSize,
    )) {
      found.push(`${name} failed at ${eventId} of ${streamId} ${attempts} times: ${errorMessage}`);
    }
  }
  return found;
}
