import {
  asTables,
  countStatement,
  idsIn,
  isSameVersion,
  layoutOf,
  listStatement,
  missingColumn,
  modelsOf,
  mostOwnersListed,
  ownersStatement,
  PerspectiveDefinedOtherwiseError,
  PropertyNotReadyError,
  recordedProgress,
  toRecordedTables,
  type ModelQuery,
  type ModelReplica,
  type ModelSelection,
  type ModelTables,
  type Progress,
  type RecordedTables,
  type StoredModel,
  type TablesRef,
} from '@svc/core/storage';
import { isOfOtherColumns } from './failures.js';
import { listDialect, modelOf } from './perspective-rows.js';
import type { PerspectiveTables } from './perspective-tables.js';
import type { Queryable, Value } from './reader.js';
import { RecordedRows } from './recorded-rows.js';
import type { Row } from './row.js';

/** Reads models and how far they are, on the primary or on a replica. */
export class ModelReads implements ModelReplica {
  readonly #tables: PerspectiveTables;
  readonly #reader: Queryable;
  readonly #recorded: RecordedRows;

  constructor(tables: PerspectiveTables, reader: Queryable) {
    this.#tables = tables;
    this.#reader = reader;
    this.#recorded = new RecordedRows(reader);
  }

  async readProgress(ref: TablesRef): Promise<Progress> {
    const tables = asTables(ref);
    const known = await this.#tables.make(tables);
    const row = await this.#tables.withTables(tables, () => this.#recorded.read(tables.name));
    if (row === undefined) {
      if (tables.role === 'retained') throw new PerspectiveDefinedOtherwiseError(tables.perspective);
      return { sequence: -1, revision: 0 };
    }
    const recorded = toRecordedTables(tables, row, known);
    const progress = recordedProgress(recorded, tables.segment);
    const isOwn = isSameVersion(this.#tables.ownOf(tables.perspective), recorded.table);
    return isOwn ? progress : { ...progress, ofOtherVersion: true };
  }

  async readModels(ref: TablesRef, ids: readonly string[]): Promise<readonly StoredModel[]> {
    const recorded = await this.#tables.make(asTables(ref));
    const text = `SELECT ${listDialect.modelColumns} FROM ${modelsOf(recorded)}
      WHERE id IN (SELECT value FROM jsonb_array_elements_text($1::jsonb) AS wanted (value))`;
    const values = [JSON.stringify(idsIn(recorded, ids))];
    return await this.#models(recorded.tables, text, values, () => this.readModels(ref, ids));
  }

  async findModels(ref: TablesRef, key: string, limit: number): Promise<readonly StoredModel[]> {
    const recorded = await this.#tables.make(asTables(ref));
    // Ids start with the key, so the models of a key are one range of the index.
    const text = `SELECT ${listDialect.modelColumns} FROM ${modelsOf(recorded)}
      WHERE id >= $1 AND id < $1 || chr(32) AND key = $1 AND body IS NOT NULL LIMIT $2`;
    return await this.#models(recorded.tables, text, [key, limit], () => this.findModels(ref, key, limit));
  }

  async listModels(ref: TablesRef, query: ModelQuery): Promise<readonly StoredModel[]> {
    const tables = asTables(ref);
    const recorded = await this.#withColumns(tables, query);
    const isOfAny = query.owner === null && layoutOf(recorded.table) === 'owned';
    const owners = isOfAny ? await this.#ownersIn(recorded) : null;
    if (owners?.length === 0) return [];
    const { text, values } = listStatement(recorded, query, owners, listDialect);
    return await this.#models(tables, text, values, () => this.listModels(ref, query));
  }

  async countModels(ref: TablesRef, selection: ModelSelection): Promise<number> {
    const tables = asTables(ref);
    const { text, values } = countStatement(await this.#withColumns(tables, selection), selection, listDialect);
    const count = ([row]: Row[]): number => Number(row!['count']);
    return await this.#current(tables, text, values, count, () => this.countModels(ref, selection));
  }

  /** The tables, with the columns of a query. */
  async #withColumns(tables: ModelTables, query: Pick<ModelQuery, 'where' | 'sort'>): Promise<RecordedTables> {
    const own = this.#tables.ownOf(tables.perspective);
    let recorded = await this.#tables.make(tables);
    // The column may have been added since this host last read the table.
    if (missingColumn(recorded.table, own, query) !== null) recorded = await this.#tables.makeAgain(tables);
    const missing = missingColumn(recorded.table, own, query);
    if (missing !== null) throw new PropertyNotReadyError(tables.perspective, missing);
    return recorded;
  }

  /** Null: there are too many owners to query the models of each. */
  async #ownersIn(recorded: RecordedTables): Promise<readonly string[] | null> {
    const rows = await this.#rows(recorded.tables, null, ownersStatement(recorded), []);
    return rows.length > mostOwnersListed ? null : rows.map((row) => row['owner']!);
  }

  async #models(
    tables: ModelTables,
    text: string,
    values: readonly Value[],
    again: () => Promise<readonly StoredModel[]>,
  ): Promise<readonly StoredModel[]> {
    return await this.#current(tables, text, values, (rows) => rows.map(modelOf), again);
  }

  async #current<T>(
    tables: ModelTables,
    text: string,
    values: readonly Value[],
    resultOf: (rows: Row[]) => T,
    again: () => Promise<T>,
  ): Promise<T> {
    try {
      return resultOf(await this.#rows(tables, null, text, values));
    } catch (error) {
      if (!isOfOtherColumns(error)) throw error;
      // The table has other columns by now, so they are read again.
      await this.#tables.makeAgain(tables);
      return await again();
    }
  }

  async #rows(tables: ModelTables, name: string | null, text: string, values: readonly Value[]): Promise<Row[]> {
    await this.#tables.make(tables);
    return await this.#tables.withTables(tables, () => this.#reader.rows(name, text, values));
  }
}
