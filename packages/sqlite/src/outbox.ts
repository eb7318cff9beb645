import type { Uuid } from '@svc/core';
import { contentColumn, plainMessage, type OutgoingRecord } from '@svc/core/storage';
import type { Row } from './engine.js';
import { withLargeBodies } from './large-bodies.js';
import type { Numbers } from './numbers.js';
import { missingColumns } from './rows.js';
import type { Statements } from './statements.js';

/** Adds messages to the outbox in their order. */
export function insertOutgoing(sql: Statements, numbers: Numbers, outgoing: readonly OutgoingRecord[]): void {
  for (const { id, lane, destination, message, note, eventId } of outgoing) {
    const text = message && JSON.stringify(plainMessage(message));
    sql.insertOutgoing.get(lane, numbers.nextOutgoing(lane), id, destination, text, note, eventId);
  }
}

/** The oldest messages of a lane, with large bodies up to the limit of a page. */
export function readWaiting(sql: Statements, lane: string, limit: number, after?: Uuid): readonly Row[] {
  const rows = after === undefined ? sql.readOutgoing.all(lane, limit) : sql.readOutgoingBehind.all(lane, after, limit);
  return withLargeBodies(rows, contentColumn, (row) =>
    row['event_id'] === null
      ? { message: sql.messageOfOutgoing.get(row['outgoing_id']!)!['message']! }
      : missingColumns(sql, row),
  );
}
