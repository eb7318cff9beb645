import { keyColumn, sortedByKey, type ModelQuery } from './model-query.js';
import type { PerspectiveTable } from './perspective-table.js';

/** A column that is asked for and that a table does not have, or not as whoever asks (`own`) knows it; null when it has them all. */
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
