import {
  columnValue,
  keyColumn,
  type IndexedType,
  type ModelPlace,
  type ModelRecord,
  type ModelSort,
} from '../../storage/index.js';

/** The place of a model in a list, of one owner or of all. */
export function placeOf(
  { key, owner, body }: ModelRecord,
  { column }: ModelSort,
  types: ReadonlyMap<string, IndexedType>,
  isOfAllOwners: boolean,
): ModelPlace {
  const place = isOfAllOwners ? { key, owner } : { key };
  if (column === keyColumn) return { ...place, value: key };
  const model = JSON.parse(body ?? '{}') as Readonly<Record<string, unknown>>;
  return { ...place, value: columnValue(column, types.get(column)!, model[column]) };
}
