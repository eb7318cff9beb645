import { type Uuid } from '@svc/core';
import {
  latestIdIn,
  latestOf,
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
  /** The greatest id of its events; null when it does not exist. */
  latest: Uuid | null;
  /** Whose it is, '' for no tenant; null when it does not exist, or no event asks for it. */
  tenant: string | null;
}

/** The numbers of one transaction, which is the only one that writes: they continue the highest that are stored. */
export class Numbers {
  readonly #sql: Statements;
  readonly #heads: ReadonlyMap<Uuid, StreamHead>;
  readonly #outgoing = new Map<OutboxLane, number>();
  #sequence: number | undefined;
  #latestReceived: Uuid | null | undefined;

  constructor(sql: Statements, records: readonly CommitRecord[]) {
    this.#sql = sql;
    this.#heads = headsOf(sql, records);
  }

  nextSequence(): number {
    this.#sequence = (this.#sequence ?? highest(this.#sql.lastSequence.get())) + 1;
    return this.#sequence;
  }

  nextOutgoing(lane: OutboxLane): number {
    const next = (this.#outgoing.get(lane) ?? highest(this.#sql.lastOutgoing.get(lane))) + 1;
    this.#outgoing.set(lane, next);
    return next;
  }

  /** Of a stream that one of the records appends to. */
  lastPosition(streamId: Uuid): number {
    return this.#heads.get(streamId)!.position;
  }

  /** Whose a stream is, '' for no tenant, where one of the records asks for it; null when it does not exist. */
  tenantOf(streamId: Uuid): string | null {
    return this.#heads.get(streamId)!.tenant;
  }

  /** The greatest id in a stream that one of the records appends to; null when it does not exist. */
  latestIn(streamId: Uuid): Uuid | null {
    return this.#heads.get(streamId)!.latest;
  }

  /** The greatest id of the messages that came from elsewhere; null when none did. */
  get latestReceived(): Uuid | null {
    if (this.#latestReceived === undefined) {
      this.#latestReceived = (this.#sql.latestReceived.get()?.['latest'] ?? null) as Uuid | null;
    }
    return this.#latestReceived;
  }

  /** Notes messages that came with a record of the transaction. */
  received(ids: readonly Uuid[]): void {
    for (const id of ids) this.#latestReceived = latestOf(this.latestReceived, id);
  }

  /** The position of an event at the end of its stream. */
  nextPosition(event: PendingRecord): number {
    const head = this.#heads.get(event.streamId)!;
    if (head.position === -1) head.tenant = tenantOfEvent(event);
    head.latest = latestOf(head.latest, latestIdIn(event));
    return ++head.position;
  }
}

/** All at once, and as texts: to ask for each stream takes four times as long as to find it. */
function headsOf(sql: Statements, records: readonly CommitRecord[]): ReadonlyMap<Uuid, StreamHead> {
  const heads = new Map<Uuid, StreamHead>();
  const guarded = new Set<Uuid>();
  for (const { events } of records) {
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

/** What a statement finds for each stream. */
function listOf(statement: Statement, streamIds: Iterable<Uuid>, column: string): unknown {
  return JSON.parse(statement.get(JSON.stringify([...streamIds]))![column] as string);
}

/** The last number that is in use; -1 when none is. */
export function highest(row: Row | undefined): number {
  return (row?.['last'] ?? -1) as number;
}
