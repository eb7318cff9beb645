import { type Uuid } from '@svc/core';
import {
  asTables,
  countStatement,
  idsIn,
  isAt,
  isSameVersion,
  layoutOf,
  listStatement,
  missingColumn,
  modelsOf,
  mostOwnersListed,
  ownersStatement,
  PerspectiveDefinedOtherwiseError,
  PerspectiveMovedError,
  placeOfVersion,
  PropertyNotReadyError,
  recordedProgress,
  sourcesPerPage,
  tableNamesOf,
  toRecordedPerspective,
  toRebuilding,
  toSnapshot,
  toSource,
  toStopped,
  withFilledColumns,
  type RecordedPerspective,
  type ModelQuery,
  type ModelSelection,
  type ModelSnapshot,
  type ModelTables,
  type OpenRewind,
  type PerspectiveCommit,
  type PerspectiveStanding,
  type PerspectiveStorage,
  type PerspectiveTable,
  type Progress,
  type RebuildingTables,
  type RecordedTables,
  type SourceKey,
  type SourcePage,
  type StoppedStream,
  type StoredModel,
  type TablesRef,
} from '@svc/core/storage';
import type { Connection } from './connection.js';
import { FileChanges } from './file-changes.js';
import type { Row, SqlValue } from './engine.js';
import {
  emptyTables,
  readTables,
  removeTables,
  replaceTables,
  servingStatement,
  tablesInRole,
} from './perspective-changes.js';
import { writeBatch, writeReports } from './perspective-commit.js';
import { listDialect, modelOf } from './perspective-rows.js';
import { PerspectiveTables } from './perspective-tables.js';
import { toStanding } from './standings.js';

type ReadTables = (connection: Connection, recorded: RecordedTables) => Row[];

/** SQLite runs in the process of the service, so a larger commit would block requests. */
export const largestCommit = 1_000;

/** A key after the sources of all streams. */
const afterAllSources = { streamId: 'g', block: 0 };

/** The perspectives in a database file. Each has a table of models, one of sources and one of snapshots. */
export class SqlitePerspectives implements PerspectiveStorage {
  readonly largestCommit = largestCommit;
  readonly #open: () => Promise<Connection>;
  readonly #tables: PerspectiveTables;
  readonly changes: FileChanges;

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
    this.#tables = new PerspectiveTables(open);
    this.changes = new FileChanges(open, () => this.#tables.own);
  }

  define(tables: readonly PerspectiveTable[]): void {
    this.#tables.define(tables);
  }

  async ownPlace(perspective: string): Promise<ModelTables | null> {
    const own = this.#tables.ownOf(perspective);
    const tables = asTables(perspective);
    return await this.#tables.withTables(tables, (connection) =>
      connection.unlocked(() => {
        if (isSameVersion(own, this.#tables.read(connection, tables).table)) return tables;
        return placeOfVersion(own.version ?? null, tablesInRole(connection, perspective, 'retained'));
      }),
    );
  }

  async readPerspectives(): Promise<readonly RecordedPerspective[]> {
    const connection = await this.#open();
    const rows = await connection.unlocked(() => connection.rows(servingStatement));
    return rows.map(toRecordedPerspective);
  }

  async readStandings(perspectives: readonly string[], limit: number): Promise<readonly PerspectiveStanding[]> {
    const connection = await this.#open();
    const wanted = perspectives.map((name) => ({ name, version: this.#tables.ownOf(name).version ?? null }));
    const rows = await connection.unlocked(() => connection.sql.standings.all(limit, JSON.stringify(wanted)));
    return rows.map(toStanding);
  }

  async readProgress(ref: TablesRef): Promise<Progress> {
    const tables = asTables(ref);
    return await this.#tables.withTables(tables, (connection) =>
      connection.unlocked(() => {
        const recorded = this.#tables.read(connection, tables);
        const isOwn = isSameVersion(this.#tables.ownOf(tables.perspective), recorded.table);
        const progress = recordedProgress(recorded, undefined);
        return isOwn ? progress : { ...progress, ofOtherVersion: true };
      }),
    );
  }

  async readModels(ref: TablesRef, ids: readonly string[]): Promise<readonly StoredModel[]> {
    return await this.#models(asTables(ref), (connection, recorded) => {
      const text = `SELECT ${listDialect.modelColumns} FROM ${modelsOf(recorded)} WHERE id IN (SELECT value FROM json_each(?))`;
      return this.#tables.prepare(connection, text).all(JSON.stringify(idsIn(recorded, ids)));
    });
  }

  async findModels(ref: TablesRef, key: string, limit: number): Promise<readonly StoredModel[]> {
    return await this.#models(asTables(ref), (connection, recorded) => {
      // Ids start with the key, so the models of a key are one range of the index.
      const text = `SELECT ${listDialect.modelColumns} FROM ${modelsOf(recorded)}
        WHERE id >= ?1 AND id < ?1 || ' ' AND key = ?1 AND body IS NOT NULL LIMIT ?2`;
      return this.#tables.prepare(connection, text).all(key, limit);
    });
  }

  async listModels(ref: TablesRef, query: ModelQuery): Promise<readonly StoredModel[]> {
    const tables = asTables(ref);
    return await this.#models(tables, (connection, recorded) => {
      this.#requireColumns(recorded, query);
      const isOfAny = query.owner === null && layoutOf(recorded.table) === 'owned';
      const owners = isOfAny ? this.#ownersIn(connection, recorded) : null;
      if (owners?.length === 0) return [];
      const { text, values } = listStatement(recorded, query, owners, listDialect);
      return this.#tables.prepare(connection, text).all(...values);
    });
  }

  async countModels(ref: TablesRef, selection: ModelSelection): Promise<number> {
    const [row] = await this.#current(asTables(ref), (connection, recorded) => {
      this.#requireColumns(recorded, selection);
      const { text, values } = countStatement(recorded, selection, listDialect);
      return this.#tables.prepare(connection, text).all(...values);
    });
    return Number(row!['count']);
  }

  #requireColumns({ table, tables }: RecordedTables, query: Pick<ModelQuery, 'where' | 'sort'>): void {
    const missing = missingColumn(table, this.#tables.ownOf(tables.perspective), query);
    if (missing !== null) throw new PropertyNotReadyError(tables.perspective, missing);
  }

  /** Null: there are too many owners to query the models of each. */
  #ownersIn(connection: Connection, recorded: RecordedTables): readonly string[] | null {
    const rows = this.#tables.prepare(connection, ownersStatement(recorded)).all();
    return rows.length > mostOwnersListed ? null : rows.map((row) => row['owner'] as string);
  }

  async #models(tables: ModelTables, read: ReadTables): Promise<readonly StoredModel[]> {
    return (await this.#current(tables, read)).map(modelOf);
  }

  /** Reads rows from the current table. */
  async #current(tables: ModelTables, read: ReadTables): Promise<Row[]> {
    return await this.#tables.withTables(tables, (connection) =>
      connection.unlocked(() => read(connection, this.#tables.read(connection, tables))),
    );
  }

  async readStopped(ref: TablesRef): Promise<readonly StoppedStream[]> {
    const tables = asTables(ref);
    const text = 'SELECT * FROM svc_perspectives_stopped WHERE perspective = ? ORDER BY stream_id';
    return (await this.#rows(tables, text, tables.name)).map(toStopped);
  }

  async readRewinds(lane: string): Promise<readonly OpenRewind[]> {
    const connection = await this.#open();
    const rows = await connection.unlocked(() => connection.sql.readRewinds.all(lane));
    return rows.map((row) => JSON.parse(row['rewind'] as string) as OpenRewind);
  }

  async readSources(
    ref: TablesRef,
    id: string,
    afterEventId: Uuid | null,
    next: SourceKey | null,
  ): Promise<SourcePage> {
    const tables = asTables(ref);
    const text = `SELECT * FROM ${tableNamesOf(tables.name).sources} WHERE id = ? AND (stream_id, block) < (?, ?)
      ORDER BY stream_id DESC, block DESC LIMIT ${sourcesPerPage}`;
    const { streamId, block } = next ?? afterAllSources;
    const rows = (await this.#rows(tables, text, id, streamId, block)).map(toSource);
    const sources = rows.filter(({ lastEventId }) => afterEventId === null || lastEventId > afterEventId);
    return { sources, next: rows.length < sourcesPerPage ? null : rows.at(-1)! };
  }

  async readModelIds(ref: TablesRef, streamId: Uuid): Promise<readonly string[]> {
    const tables = asTables(ref);
    const text = `SELECT DISTINCT id FROM ${tableNamesOf(tables.name).sources} WHERE stream_id = ?`;
    return (await this.#rows(tables, text, streamId)).map((row) => row['id'] as string);
  }

  async readSnapshot(ref: TablesRef, id: string, beforeEventId: Uuid): Promise<ModelSnapshot | null> {
    const tables = asTables(ref);
    const text = `SELECT * FROM ${tableNamesOf(tables.name).snapshots}
      WHERE id = ? AND event_id < ? ORDER BY event_id DESC LIMIT 1`;
    const [row] = await this.#rows(tables, text, id, beforeEventId);
    return row === undefined ? null : toSnapshot(row);
  }

  async commitPerspective(commit: PerspectiveCommit): Promise<void> {
    const { perspective, tables = asTables(perspective) } = commit;
    const own = this.#tables.ownOf(perspective);
    await this.#tables.withTables(tables, (connection) =>
      connection.derivedTransaction(() => {
        const recorded = this.#requirePlace(connection, tables, commit.from);
        const models = withFilledColumns(commit.models, own.columns, recorded.table.columns);
        writeBatch((text) => this.#tables.prepare(connection, text), { ...commit, models }, recorded);
        writeReports(connection.sql, commit);
      }),
    );
    this.changes.committed(tables, commit);
  }

  async replacePerspective(perspective: string, by: TablesRef, from: Progress, byFrom: Progress): Promise<void> {
    const [serving, next] = [asTables(perspective), asTables(by)];
    await this.#tables.withTables(serving, (connection) =>
      connection.transaction(() => {
        const replaced = this.#requirePlace(connection, serving, from);
        const replacing = readTables(connection, next);
        // Another process that filled the same tables has finished the replacement, or has removed them.
        if (replacing === undefined || !isAt(replacing, byFrom)) {
          throw new PerspectiveMovedError(perspective, byFrom.sequence, replacing?.sequence ?? -1);
        }
        // The serving table was migrated during the rebuild, so the new one lacks columns.
        if (replaced.text !== replacing.text) throw new PerspectiveDefinedOtherwiseError(perspective);
        replaceTables(connection, replaced, replacing);
      }),
    );
    this.#tables.forget(next);
  }

  async clearPerspective(perspective: string): Promise<void> {
    const tables = asTables(perspective);
    await this.#tables.withTables(tables, (connection) =>
      connection.transaction(() => {
        const recorded = this.#tables.read(connection, tables);
        this.#tables.requireOwnVersion(recorded);
        emptyTables(connection, recorded);
      }),
    );
  }

  async readRebuilding(perspective: string): Promise<readonly RebuildingTables[]> {
    const tables = asTables(perspective);
    return await this.#tables.withTables(tables, (connection) =>
      connection.unlocked(() =>
        toRebuilding(tablesInRole(connection, perspective, 'rebuilding'), this.#tables.read(connection, tables)),
      ),
    );
  }

  async removeTables(ref: TablesRef): Promise<void> {
    const tables = asTables(ref);
    const connection = await this.#open();
    await connection.transaction(() => removeTables(connection, tables));
    this.#tables.forget(tables);
  }

  removePerspective(perspective: string): Promise<void> {
    return this.#tables.removeAll(perspective);
  }

  async #rows(tables: ModelTables, text: string, ...values: readonly SqlValue[]): Promise<Row[]> {
    return await this.#tables.withTables(tables, (connection) =>
      connection.unlocked(() => this.#tables.prepare(connection, text).all(...values)),
    );
  }

  #requirePlace(connection: Connection, tables: ModelTables, from: Progress): RecordedTables {
    const recorded = this.#tables.read(connection, tables);
    this.#tables.requireOwnVersion(recorded);
    if (!isAt(recorded, from)) throw new PerspectiveMovedError(tables.perspective, from.sequence, recorded.sequence);
    return recorded;
  }
}
