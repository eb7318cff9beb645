/**
 * Rows contain small bodies. Large ones are fetched one by one, up to the limit of a page, and so are audit records that are stored by
 * reference.
 */
import { SystemEventStream } from '@svc/core';
import { mostPageBytes, referenceBody, smallBodyBytes } from '@svc/core/storage';
import type { Row } from './engine.js';

/** A column, or null if its value is large. */
export function unlessLarge(column: string): string {
  return `CASE WHEN octet_length(${column}) <= ${smallBodyBytes} THEN ${column} END`;
}

/** Whether an event is an audit record that is stored by reference. */
export const isReference = `(event.body = '${referenceBody}' AND event.stream_id = '${SystemEventStream.streamId}')`;

/** The body of an event, or null if it is large or the event is an audit record that is stored by reference. */
export const smallBody = `
  CASE WHEN octet_length(event.body) <= ${smallBodyBytes} AND NOT ${isReference} THEN event.body END`;

/** The first rows with their bodies, up to the limit of a page. */
export function withLargeBodies(
  rows: readonly Row[],
  columnOf: (row: Row) => string,
  fetch: (row: Row) => Row,
): readonly Row[] {
  const page: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const column = columnOf(row);
    if (row[column] !== null) page.push(row);
    else if (bytes >= mostPageBytes) break;
    else {
      const fetched = fetch(row);
      bytes += (fetched[column] as string).length;
      page.push({ ...row, ...fetched });
    }
  }
  return page;
}
