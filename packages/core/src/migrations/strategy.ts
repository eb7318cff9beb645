import { MigrationStrategy } from '../system-events/index.js';
import { definitionText, type ColumnDefinition, type TableDefinition } from './table-definition.js';

/**
 * How to migrate a table from one definition to another. DirectDdl: new tables, optional columns and indexes are added in place. ColumnCopy: rows
 * are copied to a new table if columns must be filled or can be converted without loss. EventReplay: rows are replayed from events if a column is
 * removed or changes its type.
 */
export function strategyBetween(old: TableDefinition | null, next: TableDefinition): MigrationStrategy {
  if (old === null) return MigrationStrategy.DirectDdl;
  const { common, added, removed } = compare(old, next);
  const isRetyped = common.some(([before, after]) => before.type !== after.type);
  if (removed.length > 0 || isRetyped || old.key !== next.key || old.version !== next.version) {
    return MigrationStrategy.EventReplay;
  }
  const isFilled = added.some(({ fill, required = false }) => fill !== undefined || required);
  const isRewritten = common.some(
    ([before, after]) => (before.required ?? false) !== (after.required ?? false) || fillOf(before) !== fillOf(after),
  );
  const losesIndex = (old.indexes ?? []).some((index) => !hasIndex(next, index));
  return isFilled || isRewritten || losesIndex || old.revision !== next.revision
    ? MigrationStrategy.ColumnCopy
    : MigrationStrategy.DirectDdl;
}

/** Whether a program with the definition `mine` can read and write a table with the definition `theirs`. */
export function canWorkWith(mine: TableDefinition, theirs: TableDefinition): boolean {
  const { common, added, removed } = compare(theirs, mine);
  return (
    added.length === 0 &&
    mine.key === theirs.key &&
    mine.revision === theirs.revision &&
    common.every(([before, after]) => before.type === after.type) &&
    removed.every(({ required = false }) => !required)
  );
}

export function hasIndex({ indexes = [] }: TableDefinition, wanted: readonly string[]): boolean {
  return indexes.some((index) => index.join() === wanted.join());
}

/** Parses a stored definition. */
export function definitionOf(text: string | null): TableDefinition | null {
  return text === null ? null : (JSON.parse(text) as TableDefinition);
}

export function sameDefinition(a: TableDefinition, b: TableDefinition): boolean {
  return definitionText(a) === definitionText(b);
}

interface Comparison {
  readonly common: readonly (readonly [ColumnDefinition, ColumnDefinition])[];
  readonly added: readonly ColumnDefinition[];
  readonly removed: readonly ColumnDefinition[];
}

function compare(old: TableDefinition, next: TableDefinition): Comparison {
  const before = new Map(old.columns.map((column) => [column.name, column]));
  const names = new Set(next.columns.map(({ name }) => name));
  return {
    common: next.columns.flatMap((column) => {
      const known = before.get(column.name);
      return known === undefined ? [] : [[known, column] as const];
    }),
    added: next.columns.filter(({ name }) => !before.has(name)),
    removed: old.columns.filter(({ name }) => !names.has(name)),
  };
}

function fillOf({ fill }: ColumnDefinition): string {
  return JSON.stringify(fill === undefined ? null : [fill.column, fill.path]);
}
