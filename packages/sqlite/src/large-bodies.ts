/**
 * Rows contain small bodies. Large ones are fetched one by one, up to the limit of a page, and so are audit records that are stored by
 * reference.
 */
import { mostPageBytes, type ArchivedBodies } from '@svc/core/storage';
import type { Row } from './engine.js';
import { auditColumns } from './rows.js';

/** The first rows with their bodies, up to the limit of a page, except archived ones. */
export function withLargeBodies(
  rows: readonly Row[],
  columnOf: (row: Row) => string,
  fetch: (row: Row) => Row,
): readonly Row[] {
  const page: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const column = columnOf(row);
    if (row[column] !== null || isArchived(row)) page.push(row);
    else if (bytes >= mostPageBytes) break;
    else {
      const fetched = fetch(row);
      bytes += (fetched[column] as string | null)?.length ?? 0;
      page.push({ ...row, ...fetched });
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
      const original = row['original'] === undefined ? row : (JSON.parse(row['original'] as string) as Row);
      const read = archived.read(row['archive'] as number, original['sequence'] as number);
      const body = typeof read === 'string' ? read : await read;
      bytes += body.length;
      page.push(original === row ? { ...row, body } : { ...row, ...auditColumns(row, { ...original, body }) });
    }
  }
  return page;
}

/** A row without an event has no value here. */
function isArchived({ archive }: Row): boolean {
  return typeof archive === 'number';
}
