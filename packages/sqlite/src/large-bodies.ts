/**
 * Rows contain small bodies. Large ones are fetched one by one, up to the limit of a page. Most pages have no large body.
 */
import { mostPageBytes, smallBodyBytes } from '@svc/core/storage';
import type { Row } from './engine.js';

/** A column, or null if its value is large. */
export function unlessLarge(column: string): string {
  return `CASE WHEN octet_length(${column}) <= ${smallBodyBytes} THEN ${column} END`;
}

/** The first rows with their bodies, up to the limit of a page. */
export function withLargeBodies(
  rows: readonly Row[],
  columnOf: (row: Row) => string,
  fetch: (row: Row) => string,
): readonly Row[] {
  const page: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const column = columnOf(row);
    if (row[column] !== null) page.push(row);
    else if (bytes >= mostPageBytes) break;
    else {
      const body = fetch(row);
      bytes += body.length;
      page.push({ ...row, [column]: body });
    }
  }
  return page;
}
