import { keyColumn, sortedByKey, type ModelQuery } from './model-query.js';
import type { PerspectiveTable } from './perspective-table.js';

/** A column of a query that a table lacks, or has with another type than the host (`own`) expects; null: it has all of them. */
export function missingColumn(
  { columns }: PerspectiveTable,
  own: PerspectiveTable,
  { where = [], sort = sortedByKey }: Pick<ModelQuery, 'where' | 'sort'>,
): string | null {
  const asked = [...where.map(({ column }) => column), sort.column];
  const isThere = (name: string): boolean => {
    const [there, known] = [columns, own.columns].map((all) => all.find((column) => column.name === name));
    return there !== undefined && (known === undefined || known.type === there.type);
  };
  return asked.find((name) => name !== keyColumn && !isThere(name)) ?? null;
}
