/**
 * Rows contain small bodies. Large ones are fetched one by one, up to the limit of a page. Most pages have no large body.
 */
import { mostPageBytes, smallBodyBytes, type ArchivedBodies } from '@svc/core/storage';
import type { Row } from './engine.js';

/** A column, or null if its value is large, or empty because it is archived. */
export function unlessLarge(column: string): string {
  return `CASE WHEN octet_length(${column}) BETWEEN 1 AND ${smallBodyBytes} THEN ${column} END`;
}

/** The first rows with their bodies, up to the limit of a page, except archived ones. */
export function withLargeBodies(
  rows: readonly Row[],
  columnOf: (row: Row) => string,
  fetch: (row: Row) => string,
): readonly Row[] {
  const page: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const column = columnOf(row);
    if (row[column] !== null || isArchived(row)) page.push(row);
    else if (bytes >= mostPageBytes) break;
    else {
      const body = fetch(row);
      bytes += body.length;
      page.push({ ...row, [column]: body });
    }
  }
  return page;
}

/** The same rows with the bodies of archived events, up to the limit of a page. */
export async function withArchivedBodies(rows: readonly Row[], archived: ArchivedBodies): Promise<readonly Row[]> {
  if (!rows.some(isArchived)) return rows;
  const page: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (!isArchived(row)) page.push(row);
    else if (bytes >= mostPageBytes) break;
    else {
      const read = archived.read(row['archive'] as number, row['sequence'] as number);
      const body = typeof read === 'string' ? read : await read;
      bytes += body.length;
      page.push({ ...row, body });
    }
  }
  return page;
}

/** A row without an event has no value here. */
function isArchived({ archive }: Row): boolean {
  return typeof archive === 'number';
}
