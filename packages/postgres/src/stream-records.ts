import type { Uuid } from '@svc/core';
import type { StoredRecord } from '@svc/core/storage';
import { withLargeBodies, type BodyReaders } from './large-bodies.js';
import { toRecord } from './rows.js';
import { largeStreamBodies, positionsStatement, streamStatement } from './storage-statements.js';

const pageSize = 500;

/** The events of a stream from a position on, page by page. A page ends early if the bodies in it are large. */
export async function* streamRecords(
  bodies: BodyReaders,
  streamId: Uuid,
  fromPosition: number,
): AsyncIterable<StoredRecord> {
  let next = fromPosition;
  for (;;) {
    const rows = await bodies.reader.rows('svc-read-stream', streamStatement, [streamId, next, pageSize]);
    const page = await withLargeBodies(bodies, rows, largeStreamBodies);
    for (const row of page) yield toRecord(row);
    if (page.length === rows.length && rows.length < pageSize) return;
    next += page.length;
  }
}

/** The events at some positions of a stream. */
export async function* recordsAt(
  bodies: BodyReaders,
  streamId: Uuid,
  positions: readonly number[],
): AsyncIterable<StoredRecord> {
  for (let read = 0; read < positions.length;) {
    const wanted = positions.slice(read, read + pageSize).map(String);
    const rows = await bodies.reader.rows('svc-read-positions', positionsStatement, [streamId, wanted]);
    const page = await withLargeBodies(bodies, rows, largeStreamBodies);
    for (const row of page) yield toRecord(row);
    read = page.length === rows.length ? read + wanted.length : positions.indexOf(Number(page.at(-1)!['position'])) + 1;
  }
}
