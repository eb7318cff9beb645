import {
  columnNameOf,
  migratingTables,
  tableNamesOf,
  type IndexedType,
  type ModelTables,
  type PerspectiveColumn,
  type PerspectiveTable,
} from '../storage/index.js';
import type { Rewrite } from './migration-database.js';
import type { Replay, TableItem } from './migration-item.js';
import type { ColumnDefinition, TableDefinition } from './table-definition.js';

/** The columns of every table of models, in addition to the indexed properties. */
const plainColumns: readonly ColumnDefinition[] = [
  { name: 'id', type: 'text', required: true },
  { name: 'key', type: 'text', required: true },
  { name: 'owner', type: 'text', required: true },
  // Null: the model was deleted.
  { name: 'body', type: 'text' },
  { name: 'version', type: 'integer', required: true },
  { name: 'last_event_id', type: 'uuid', required: true },
  // The revision of the perspective when the row was last written.
  { name: 'revision', type: 'integer', required: true },
  { name: 'tenant_id', type: 'text' },
  { name: 'user_id', type: 'text' },
  { name: 'organization_id', type: 'text' },
  { name: 'customer_id', type: 'text' },
  { name: 'allowed_principals', type: 'texts' },
  // Other values of the scope; null: there is no scope.
  { name: 'extensions', type: 'json' },
];

/**
 * The definition of a perspective's table of models, whatever the order of its properties. Every index starts with the owner, so that a page of
 * one owner's models reads no models of others.
 */
export function modelsDefinition({ perspective, columns, version = null }: PerspectiveTable): TableDefinition {
  const indexed = columns.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    table: tableNamesOf(perspective).models,
    key: 'id',
    revision: 'revision',
    columns: [...plainColumns, ...indexed.map(indexedColumn)],
    indexes: [['owner', 'key'], ...indexed.map(({ name }) => ['owner', columnNameOf(name), 'key'])],
    ...(version !== null && { version }),
    perspective,
  };
}

/** A perspective as a migration item: its table is created, or rewritten while it serves. Without a replay the item can only be planned. */
export function perspectiveItem(table: PerspectiveTable, replay?: Replay): TableItem {
  const item: TableItem = {
    kind: 'table',
    key: `perspective/${table.perspective}`,
    definition: modelsDefinition(table),
  };
  return replay === undefined ? item : { ...item, replay };
}

/** The perspective's table in a definition; null: it is the definition of another table. */
export function perspectiveTableOf({ perspective, key, columns, version }: TableDefinition): PerspectiveTable | null {
  if (perspective === undefined) return null;
  const indexed = columns.flatMap(({ fill, type }): PerspectiveColumn[] =>
    fill === undefined ? [] : [{ name: fill.path[0]!, type: type as IndexedType }],
  );
  return { perspective, columns: indexed, version: version ?? null, layout: key === 'id' ? 'owned' : 'keyed' };
}

/** The new tables of a perspective, which a replay fills. */
export function tablesOfRewrite({ to, target }: Rewrite): ModelTables {
  return migratingTables(to.perspective!, target);
}

function indexedColumn({ name, type }: PerspectiveColumn): ColumnDefinition {
  return { name: columnNameOf(name), type, fill: { column: 'body', path: [name] } };
}
