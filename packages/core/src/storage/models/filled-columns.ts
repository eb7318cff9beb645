import { columnValue } from './column-values.js';
import type { IndexedModel } from './perspective-storage.js';
import type { PerspectiveColumn } from './perspective-table.js';

/**
 * Models with a value for each column of a table. A host knows the indexed properties of its own version (`known`); those of another version
 * are read from the bodies, which are the same.
 */
export function withFilledColumns(
  models: readonly IndexedModel[],
  known: readonly PerspectiveColumn[],
  columns: readonly PerspectiveColumn[],
): readonly IndexedModel[] {
  const unknown = columns.filter(({ name, type }) => !known.some((own) => own.name === name && own.type === type));
  if (unknown.length === 0) return models;
  return models.map((model) => {
    const body = JSON.parse(model.body ?? '{}') as Readonly<Record<string, unknown>>;
    const filled = unknown.map(({ name, type }) => [name, columnValue(name, type, body[name])] as const);
    return { ...model, indexed: { ...model.indexed, ...Object.fromEntries(filled) } };
  });
}
