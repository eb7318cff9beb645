/** Converts rows of `svc_perspectives`, which records the tables of perspectives. */
import { recordedPerspective, type RecordedPerspective } from '../models/recorded-perspective.js';
import { asTables, type ModelTables, type TableRole } from '../models/model-tables.js';
import type { RebuildingTables } from '../models/perspective-storage.js';
import { tableOfText, type PerspectiveTable } from '../models/perspective-table.js';
import { progressOf, type RecordedProgress } from './segment-progress.js';
import type { SqlRow } from './sql-statement.js';

/** The tables of a perspective, as `svc_perspectives` records them. */
export interface RecordedTables extends RecordedProgress {
  readonly tables: ModelTables;
  readonly table: PerspectiveTable;
  /** The recorded definition of the table. */
  readonly text: string;
  /** Identifies these tables among all that the perspective has had. */
  readonly generation: string;
  /** Their revision after the last commit that changed a model. */
  readonly changed: number;
}

/** The tables in a row. `last`: the previous result for the same tables, whose definition rarely changes and then need not be parsed again. */
export function toRecordedTables(tables: ModelTables, row: SqlRow, last?: RecordedTables): RecordedTables {
  const text = row['definition'] as string;
  const parts = (row['parts'] as string | null | undefined) ?? null;
  return {
    tables,
    ...progressOf({ sequence: Number(row['sequence']), revision: Number(row['revision']) }, parts),
    table: last?.text === text ? last.table : tableOfText(tables.perspective, text),
    text,
    generation: row['generation'] as string,
    changed: Number(row['changed']),
  };
}

/** The tables in a row of a query by role. */
export function toTablesInRole(row: SqlRow): RecordedTables {
  const tables = {
    perspective: row['perspective'] as string,
    role: row['role'] as TableRole,
    name: row['name'] as string,
  };
  return toRecordedTables(tables, row);
}

/** The tables that rebuilds fill, and whether they can replace the serving ones. */
export function toRebuilding(all: readonly RecordedTables[], serving: RecordedTables): RebuildingTables[] {
  return all.map(({ tables, sequence, text }) => ({ tables, sequence, isAlike: text === serving.text }));
}

/** The retained tables with the models of a version. Null: there are none. */
export function placeOfVersion(version: string | null, retained: readonly RecordedTables[]): ModelTables | null {
  if (version === null) return null;
  return retained.find(({ table }) => table.version === version)?.tables ?? null;
}

/** The perspective in a row of serving tables. */
export function toRecordedPerspective(row: SqlRow): RecordedPerspective {
  const { sequence, table } = toRecordedTables(asTables(row['name'] as string), row);
  return recordedPerspective(sequence, table);
}
