/**
 * Rows contain small bodies. A second statement fetches large ones, up to the limit of a page: adding up bytes costs as much as reading
 * the rows, and most pages have no large body. It also finds the files of archived bodies.
 */
import { mostPageBytes, smallBodyBytes, type ArchivedBodies } from '@svc/core/storage';
import { joinOriginal, originalOr } from './audit-references.js';
import type { Reader } from './reader.js';
import type { Row } from './row.js';

/** A column, or null if its value is large or archived. A compressed value counts as large, because its size is unknown. */
export function unlessLarge(column: string): string {
  return `CASE WHEN pg_column_size(${column}) <= ${smallBodyBytes} AND pg_column_compression(${column}) IS NULL THEN ${column} END`;
}

/** How to fetch the large bodies of rows. */
export interface LargeBodies {
  readonly name: string;
  readonly statement: string;
  readonly columnOf: (row: Row) => string;
  readonly idOf: (row: Row) => string;
}

/** The first rows with their bodies, up to the limit of a page. */
export async function withLargeBodies(
  { reader, archived }: BodyReaders,
  rows: Row[],
  { name, statement, columnOf, idOf }: LargeBodies,
): Promise<Row[]> {
  const isLeftOut = (row: Row): boolean => row[columnOf(row)] === null;
  const ids = rows.filter(isLeftOut).map(idOf);
  if (ids.length === 0) return rows;
  const fetched = new Map((await reader.rows(name, statement, [ids])).map((row) => [row['id'], row]));
  const page: Row[] = [];
  let archivedBytes = 0;
  for (const row of rows) {
    if (!isLeftOut(row)) {
      page.push(row);
      continue;
    }
    const found = fetched.get(idOf(row));
    if (found === undefined || archivedBytes >= mostPageBytes) break;
    let body = found['body'] ?? null;
    if (typeof found['archive'] === 'string') {
      const read = archived.read(Number(found['archive']), Number(found['sequence']));
      body = typeof read === 'string' ? read : await read;
      archivedBytes += body.length;
    }
    page.push(body === null ? row : { ...row, [columnOf(row)]: body });
  }
  return page;
}

/** Where bodies are read from. */
export interface BodyReaders {
  readonly reader: Reader;
  readonly archived: ArchivedBodies;
}

const before = 'WINDOW before AS (ORDER BY turn ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)';

/**
 * The first bodies, up to the one that fills a page. Their size in the table is known without reading them, which limits how many are read
 * to measure them.
 */
export function bodiesStatement(body: string, from: string): string {
  return `
  SELECT id, body, archive, sequence FROM (
    SELECT *, sum(octet_length(body::text)) OVER before AS bytes FROM (
      SELECT *, sum(pg_column_size(body)) OVER before AS stored
      FROM (SELECT wanted.id, turn, ${body} AS body, ${originalOr('archive')} AS archive, ${originalOr('sequence')} AS sequence FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted (id, turn) ${from}) found
      ${before}
    ) near WHERE coalesce(stored, 0) < ${mostPageBytes} ${before}
  ) page WHERE coalesce(bytes, 0) < ${mostPageBytes} ORDER BY turn`;
}

export const largeEventBodies: Omit<LargeBodies, 'idOf'> = {
  name: 'svc-large-bodies',
  statement: bodiesStatement(originalOr('body'), `JOIN svc_events event USING (id) ${joinOriginal}`),
  columnOf: () => 'body',
};
