/**
 * Small bodies come with their rows. The others are left out of them and fetched one by one, as many as a page may have: most pages have
 * no large body in them.
 */
import { mostPageBytes, smallBodyBytes } from '@svc/core/storage';
import type { Row } from './engine.js';

/** A column, or null where what stands in it is large. */
export function unlessLarge(column: string): string {
  return `CASE WHEN octet_length(${column}) <= ${smallBodyBytes} THEN ${column} END`;
}

/** The rows with their bodies, from the first on, as many as one page may have. */
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
