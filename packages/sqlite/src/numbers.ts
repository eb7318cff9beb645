import { SystemEventStream, type Uuid } from '@svc/core';
import {
  latestIdIn,
  latestOf,
  receivedLimit,
  tenantOfEvent,
  type CommitRecord,
  type OutboxLane,
  type PendingRecord,
} from '@svc/core/storage';
import type { Row, Statement } from './engine.js';
import type { Statements } from './statements.js';

/** A stream before the next event is appended to it. */
interface StreamHead {
  position: number;
  /** The greatest id of its events; null if the stream does not exist. */
  latest: Uuid | null;
  /** Its tenant, '' for none; null if the stream does not exist, or no event requires the check. */
  tenant: string | null;
}

/** The sequences and positions that a write transaction assigns. They continue the stored ones, because SQLite has one writer at a time. */
export class Numbers {
  readonly #sql: Statements;
  readonly #heads: ReadonlyMap<Uuid, StreamHead>;
  readonly #outgoing = new Map<OutboxLane, number>();
  /** Whether system events were queued that could have been appended at once. */
  systemEventsQueued = false;
  #systemEventsWait = true;
  #sequence: number | undefined;
  #latestReceived: Uuid | null = null;
  /** Those that are not less were searched for `#latestReceived`. */
  #receivedFrom: Uuid | undefined;

  /** For a transaction that appends the events of some records, and to other streams. */
  constructor(sql: Statements, records: readonly CommitRecord[], others: readonly Uuid[] = []) {
    this.#sql = sql;
    this.#heads = headsOf(sql, records, others);
  }

  nextSequence(): number {
    this.#sequence = (this.#sequence ?? highest(this.#sql.lastSequence.get())) + 1;
    return this.#sequence;
  }

  nextOutgoing(lane: OutboxLane): number {
    const next = (this.#outgoing.get(lane) ?? highest(this.#sql.lastOutgoing.get(lane))) + 1;
    this.#outgoing.set(lane, next);
    if (lane === 'system') this.#systemEventsWait = true;
    return next;
  }

  /** Whether messages for the system stream wait in the outbox. If none did, none does while the transaction adds none. */
  get systemEventsWait(): boolean {
    if (this.#systemEventsWait) this.#systemEventsWait = highest(this.#sql.lastOutgoing.get('system')) !== -1;
    return this.#systemEventsWait;
  }

  /** The last position of a stream that one of the records appends to. */
  lastPosition(streamId: Uuid): number {
    return this.#heads.get(streamId)!.position;
  }

  /** The tenant of a stream, '' for none, if one of the records requires the check; null if the stream does not exist. */
  tenantOf(streamId: Uuid): string | null {
    return this.#heads.get(streamId)!.tenant;
  }

  /** The greatest id in a stream that one of the records appends to; null if the stream does not exist. */
  latestIn(streamId: Uuid): Uuid | null {
    return this.#heads.get(streamId)!.latest;
  }

  /** The greatest id of the messages received from other databases; null if none that contains a time is as great as `from`. */
  latestReceived(from: Uuid): Uuid | null {
    if (this.#receivedFrom === undefined || from < this.#receivedFrom) {
      const latest = this.#sql.latestReceived.get(from, receivedLimit(Date.now()))?.['latest'] ?? null;
      this.#latestReceived = latestOf(this.#latestReceived, latest as Uuid | null);
      this.#receivedFrom = from;
    }
    return this.#latestReceived;
  }

  /** Includes the received messages of a record of this transaction. */
  received(ids: readonly Uuid[]): void {
    for (const id of ids) this.#latestReceived = latestOf(this.#latestReceived, id);
  }

  /** The position for an event that is appended to its stream. */
  nextPosition(event: Pick<PendingRecord, 'id' | 'streamId' | 'scope' | 'metadata'>): number {
    const head = this.#heads.get(event.streamId)!;
    if (head.position === -1) head.tenant = tenantOfEvent(event);
    head.latest = latestOf(head.latest, latestIdIn(event));
    return ++head.position;
  }
}

/** One statement for all streams, because one statement per stream takes four times as long as finding it. */
function headsOf(
  sql: Statements,
  records: readonly CommitRecord[],
  others: readonly Uuid[],
): ReadonlyMap<Uuid, StreamHead> {
  const heads = new Map<Uuid, StreamHead>();
  const guarded = new Set<Uuid>();
  for (const streamId of others) heads.set(streamId, { position: -1, latest: null, tenant: null });
  for (const { events, systemAtOnce } of records) {
    if (systemAtOnce === true) heads.set(SystemEventStream.streamId, { position: -1, latest: null, tenant: null });
    for (const { streamId, sameTenant } of events) {
      heads.set(streamId, { position: -1, latest: null, tenant: null });
      if (sameTenant === true) guarded.add(streamId);
    }
  }
  if (heads.size === 0) return heads;
  const found = listOf(sql.heads, heads.keys(), 'heads') as ([number, Uuid] | null)[];
  let i = 0;
  for (const head of heads.values()) [head.position, head.latest] = found[i++] ?? [-1, null];

  const existing = [...guarded].filter((streamId) => heads.get(streamId)!.position !== -1);
  if (existing.length === 0) return heads;
  const tenants = listOf(sql.tenantsOfStreams, existing, 'tenants') as string[];
  for (const [number, streamId] of existing.entries()) heads.get(streamId)!.tenant = tenants[number]!;
  return heads;
}

/** The result of a statement for each stream. */
function listOf(statement: Statement, streamIds: Iterable<Uuid>, column: string): unknown {
  return JSON.parse(statement.get(JSON.stringify([...streamIds]))![column] as string);
}

/** The last used number; -1 if there is none. */
export function highest(row: Row | undefined): number {
  return (row?.['last'] ?? -1) as number;
}
