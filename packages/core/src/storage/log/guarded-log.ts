import { ServiceError } from '../../errors/index.js';
import type { Uuid } from '../../json/index.js';
import { streamTenantKey, SystemEventStream, tenantOfEvent, type MessageEnvelope } from '../../messages/index.js';
import type { CommitObserver, EventLog } from './event-log.js';
import type { AppendOptions, StoredEvent, StreamStart } from './event-store.js';
import { ForeignStreamError } from '../foreign-stream-error.js';
import type { CommitRecord } from '../commit-record.js';
import type { PendingRecord, StoredRecord } from '../event-record.js';

/** Decides which streams an actor may access. */
export interface StreamGuard {
  /** Whether events of the host are marked with the tenant of their stream. */
  readonly marksTenants: boolean;
  /** The access of the current actor, which also applies to later reads. */
  readonly reach: StreamReach;
}

/** The streams that one actor may access. */
export interface StreamReach {
  /** The tenant whose streams the actor may access, '' for streams without a tenant; null: all streams. */
  readonly tenant: string | null;
  /** Resolves with the tenant whose system events the actor may read, '' for those without a tenant; null: all. Rejects if it may read none. */
  authorizeSystemRead(): Promise<string | null>;
  /** Emits that the actor tried to access a stream or event of another tenant. */
  recordForeign(resourceType: 'stream' | 'event', resourceId: string): Promise<void>;
}

/** How often the tenant of a stream is read again because another host has created the stream in between. */
const mostLookups = 5;

/** The event log for commands and application code: for them, events of other tenants do not exist. */
export class GuardedLog {
  readonly #log: EventLog;
  readonly #guard: StreamGuard;

  constructor(log: EventLog, guard: StreamGuard) {
    this.#log = log;
    this.#guard = guard;
  }

  /** Writes an event for a stream, which must belong to the tenant of the event; the host may append to any stream. */
  eventRecord(streamId: Uuid, envelope: MessageEnvelope, options?: AppendOptions): PendingRecord {
    const { tenant } = this.#guard.reach;
    if (tenant === null) return this.#log.eventRecord(streamId, envelope, options);
    const ofEvent = tenantOfEvent(envelope);
    if (ofEvent !== tenant) throw mismatch(envelope.type, ofEvent, tenant);
    return this.#log.eventRecord(streamId, envelope, options, true);
  }

  /** Commits a record atomically. Returns a promise only if the storage does. */
  commit(record: CommitRecord, observer?: CommitObserver): void | Promise<void> {
    if (record.events.length === 0) return this.#log.commit(record);
    if (record.events.some(isOfHost)) {
      return this.#guard.marksTenants ? this.#commitAsHost(record, observer) : this.#log.commit(record, observer);
    }
    return this.#log.commit(record, observer, this.#onFailure);
  }

  /** Reads for the actor that calls it, even if another actor iterates over the events. */
  readStream(streamId: Uuid, from: StreamStart = 0): AsyncIterable<StoredEvent> {
    const { reach } = this.#guard;
    if (streamId === SystemEventStream.streamId) return this.#readSystemStream(from, reach);
    return reach.tenant === null ? this.#log.readStream(streamId, from) : this.#readOwn(streamId, from, reach);
  }

  /** The event with an id; null: it does not exist, or belongs to another tenant. */
  async findEvent(eventId: Uuid): Promise<StoredEvent | null> {
    const { reach } = this.#guard;
    const record = await this.#log.findRecord(eventId);
    return record !== null && (await this.#mayFind(record, reach)) ? this.#log.observed(record) : null;
  }

  readAll(afterSequence?: number): AsyncIterable<StoredEvent> {
    return this.#readAll(afterSequence, this.#guard.reach);
  }

  /** The last position of a stream; -1: it does not exist, or belongs to another tenant. */
  async lastPosition(streamId: Uuid): Promise<number> {
    const { reach } = this.#guard;
    const last = await this.#log.lastPosition(streamId);
    if (last === -1 || reach.tenant === null) return last;
    if (streamId === SystemEventStream.streamId) await reach.authorizeSystemRead();
    else if (!(await this.#isOwn(streamId, reach))) return -1;
    return last;
  }

  async *#readOwn(streamId: Uuid, from: StreamStart, reach: StreamReach): AsyncIterable<StoredEvent> {
    // The first event has the tenant of the stream, so a read from the start needs no further query.
    let isKnown = from !== 0;
    if (isKnown && !(await this.#isOwn(streamId, reach))) {
      if (typeof from !== 'number') throw this.#log.unknownEvent(streamId, from.afterEvent);
      return;
    }
    for await (const event of this.#log.readStream(streamId, from)) {
      if (!isKnown && tenantOfEvent(event.envelope) !== reach.tenant) {
        await reach.recordForeign('stream', streamId);
        return;
      }
      isKnown = true;
      yield event;
    }
  }

  async #isOwn(streamId: Uuid, reach: StreamReach): Promise<boolean> {
    const owner = await this.#log.tenantOf(streamId);
    if (owner === null || owner === reach.tenant) return true;
    await reach.recordForeign('stream', streamId);
    return false;
  }

  async #mayFind(record: StoredRecord, reach: StreamReach): Promise<boolean> {
    const isOfSystem = record.streamId === SystemEventStream.streamId;
    if (isOfSystem ? await mayFindSystemEvent(record, reach) : reach.tenant === null) return true;
    if (!isOfSystem && (await this.#log.tenantOf(record.streamId)) === reach.tenant) return true;
    await reach.recordForeign('event', record.id);
    return false;
  }

  async *#readSystemStream(from: StreamStart, reach: StreamReach): AsyncIterable<StoredEvent> {
    const tenant = await reach.authorizeSystemRead();
    yield* onlyOf(tenant, this.#log.readStream(SystemEventStream.streamId, from));
  }

  async *#readAll(afterSequence: number | undefined, reach: StreamReach): AsyncIterable<StoredEvent> {
    const tenant = await reach.authorizeSystemRead();
    yield* onlyOf(tenant, this.#log.readAll(afterSequence));
  }

  /** Events of the host get the tenant of their stream, which is read first; the commit checks that it has not changed. */
  async #commitAsHost(record: CommitRecord, observer?: CommitObserver): Promise<void> {
    for (let lookups = 1; ; lookups++) {
      const events = await this.#withTenants(record.events);
      try {
        return await this.#log.commit({ ...record, events }, observer);
      } catch (error) {
        const isOutdated = error instanceof ForeignStreamError && record.events.some(isOfHostIn(error.streamId));
        if (!isOutdated || lookups === mostLookups) return await this.#onFailure(error);
      }
    }
  }

  async #withTenants(events: readonly PendingRecord[]): Promise<PendingRecord[]> {
    const owners = new Map<Uuid, string>();
    const complete: PendingRecord[] = [];
    for (const event of events) {
      let owner = owners.get(event.streamId);
      // A stream that does not exist yet belongs to the tenant of its first event.
      owner ??= (await this.#log.tenantOf(event.streamId)) ?? tenantOfEvent(event);
      owners.set(event.streamId, owner);
      complete.push(isOfHost(event) ? ofStream(event, owner) : event);
    }
    return complete;
  }

  readonly #onFailure = async (error: unknown): Promise<never> => {
    if (error instanceof ForeignStreamError) await this.#guard.reach.recordForeign('stream', error.streamId);
    throw error;
  };
}

/** Whether the actor may read a system event. Rejects like a read of the stream; an event of another tenant does not exist. */
async function mayFindSystemEvent(record: StoredRecord, reach: StreamReach): Promise<boolean> {
  const owner = tenantOfEvent(record);
  try {
    const tenant = await reach.authorizeSystemRead();
    return tenant === null || tenant === owner;
  } catch (error) {
    const isForeign = reach.tenant !== null && reach.tenant !== owner;
    if (isForeign && error instanceof ServiceError && isDenial(error)) return false;
    throw error;
  }
}

function isDenial({ code }: ServiceError): boolean {
  return code === 'SVC_ACCESS_DENIED' || code === 'SVC_UNAUTHENTICATED';
}

function isOfHost(event: PendingRecord): boolean {
  return event.sameTenant !== true;
}

function isOfHostIn(streamId: Uuid): (event: PendingRecord) => boolean {
  return (event) => event.streamId === streamId && isOfHost(event);
}

function ofStream(event: PendingRecord, tenant: string): PendingRecord {
  if (tenantOfEvent(event) === tenant) return { ...event, sameTenant: true };
  return { ...event, sameTenant: true, metadata: { ...event.metadata, [streamTenantKey]: tenant } };
}

async function* onlyOf(tenant: string | null, events: AsyncIterable<StoredEvent>): AsyncIterable<StoredEvent> {
  for await (const event of events) if (tenant === null || tenantOfEvent(event.envelope) === tenant) yield event;
}

function mismatch(type: string, tenant: string, acting: string): ServiceError {
  const name = (text: string): string => (text === '' ? 'no tenant' : `the tenant "${text}"`);
  return new ServiceError(
    'SVC_TENANT_MISMATCH',
    `${type} cannot be appended: its scope names ${name(tenant)}, and the caller acts for ${name(acting)}. Use runAsHost for work that crosses tenants.`,
  );
}
