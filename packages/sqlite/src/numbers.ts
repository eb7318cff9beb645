import type { CommitRecord, OutboxLane, Uuid } from '@svc/core';
import type { Row } from './engine.js';
import type { Statements } from './statements.js';

/** The numbers of one transaction, which is the only one that writes: they go on from the highest that are there. */
export class Numbers {
  readonly #sql: Statements;
  readonly #positions: Map<Uuid, number>;
  readonly #outgoing = new Map<OutboxLane, number>();
  #sequence: number | undefined;

  constructor(sql: Statements, records: readonly CommitRecord[]) {
    this.#sql = sql;
    this.#positions = lastPositions(sql, records);
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

  /** Of a stream that one of the records has an event of. */
  lastPosition(streamId: Uuid): number {
    return this.#positions.get(streamId)!;
  }

  nextPosition(streamId: Uuid): number {
    const next = this.lastPosition(streamId) + 1;
    this.#positions.set(streamId, next);
    return next;
  }
}

/** All at once, and as one text: to ask for each stream takes four times as long as to find it. */
function lastPositions(sql: Statements, records: readonly CommitRecord[]): Map<Uuid, number> {
  const positions = new Map<Uuid, number>();
  for (const { events } of records) for (const { streamId } of events) positions.set(streamId, -1);
  if (positions.size === 0) return positions;
  const streams = [...positions.keys()];
  const found = sql.lastPositions.get(JSON.stringify(streams))!['positions'] as string;
  for (const [i, last] of (JSON.parse(found) as number[]).entries()) positions.set(streams[i]!, last);
  return positions;
}

/** The last number that is in use; -1 when none is. */
export function highest(row: Row | undefined): number {
  return (row?.['last'] ?? -1) as number;
}
