import { type Uuid } from '@svc/core';
import {
  asideName,
  isAsideName,
  isAt,
  isSameVersion,
  keptPerspective,
  layoutOf,
  missingColumn,
  PerspectiveDefinedOtherwiseError,
  PerspectiveMovedError,
  perspectiveOfName,
  PropertyNotReadyError,
  sourcesPerPage,
  tableNamesOf,
  tableOfText,
  withFilledColumns,
  type BesideTables,
  type KeptPerspective,
  type ModelQuery,
  type ModelRecord,
  type ModelSnapshot,
  type OpenRewind,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type PerspectiveTable,
  type Progress,
  type SourceKey,
  type SourcePage,
  type StoppedStream,
} from '@svc/core/storage';
import type { Connection } from './connection.js';
import type { Row, SqlValue, Statement } from './engine.js';
import { keepBatch } from './keep-batch.js';
import { keepReports } from './keep-reports.js';
import {
  emptyTables,
  keptStatement,
  makeTables,
  readKept,
  removeTables,
  replaceTables,
  toKept,
  type Kept,
} from './perspective-changes.js';
import { listStatement, ownersStatement } from './perspective-list.js';
import { idsIn, modelColumns, modelsOf, toModel, toSnapshot, toSource, toStopped } from './perspective-rows.js';

/** How many texts of lists are kept prepared: callers choose their filters. */
const mostPrepared = 200;

/** Of so many owners each is asked for its models when those of all are listed; of more, all models are read and sorted. */
const mostOwners = 50;

/** Behind the sources of all streams. */
const behindAllSources = { streamId: 'g', block: 0 };

/** The perspectives in a database file: a table of models for each, with its sources and snapshots beside it. */
export class SqlitePerspectives implements PerspectiveStorage {
  readonly #open: () => Promise<Connection>;
  readonly #own = new Map<string, PerspectiveTable>();
  /** Those whose tables are known to be there. */
  readonly #made = new Set<string>();
  /** What was last read of them: they hardly ever look otherwise. */
  readonly #last = new Map<string, Kept>();
  readonly #prepared = new Map<string, Statement>();

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
  }

  define(tables: readonly PerspectiveTable[]): void {
    for (const table of tables) this.#own.set(table.perspective, table);
  }

  async ownPlace(perspective: string): Promise<string | null> {
    const own = this.#ownOf(perspective);
    return await this.#withTables(perspective, (connection) =>
      connection.unlocked(() => {
        if (isSameVersion(own, this.#kept(connection, perspective).table)) return perspective;
        const aside = asideName(perspective, own.version!);
        return readKept(connection, aside) === undefined ? null : aside;
      }),
    );
  }

  async readPerspectives(): Promise<readonly KeptPerspective[]> {
    const connection = await this.#open();
    const text = "SELECT name, sequence, definition FROM svc_perspectives WHERE name NOT LIKE '%~%' ORDER BY name";
    const rows = await connection.unlocked(() => connection.rows(text));
    return rows.map((row) =>
      keptPerspective(row['sequence'] as number, tableOfText(row['name'] as string, row['definition'] as string)),
    );
  }

  /** What this process would call its models were they put aside; for those it has never named, nothing. */
  asideOf(perspective: string): { readonly version: string; readonly aside: string } | null {
    const { version = null } = this.#ownOf(perspective);
    return version === null ? null : { version, aside: asideName(perspective, version) };
  }

  async readProgress(perspective: string): Promise<Progress> {
    return await this.#withTables(perspective, (connection) =>
      connection.unlocked(() => {
        const { sequence, revision, table } = this.#kept(connection, perspective);
        const isOwn = isSameVersion(this.#ownOf(perspective), table);
        return isOwn ? { sequence, revision } : { sequence, revision, ofOtherVersion: true };
      }),
    );
  }

  async readModels(perspective: string, ids: readonly string[]): Promise<readonly ModelRecord[]> {
    return await this.#models(perspective, (connection, table) =>
      this.#prepare(
        connection,
        `SELECT ${modelColumns} FROM ${modelsOf(table)} WHERE id IN (SELECT value FROM json_each(?))`,
      ).all(JSON.stringify(idsIn(table, ids))),
    );
  }

  async findModels(perspective: string, key: string, limit: number): Promise<readonly ModelRecord[]> {
    // Ids begin with the key: those that do are one range of their index.
    return await this.#models(perspective, (connection, table) =>
      this.#prepare(
        connection,
        `SELECT ${modelColumns} FROM ${modelsOf(table)}
         WHERE id >= ?1 AND id < ?1 || ' ' AND key = ?1 AND body IS NOT NULL LIMIT ?2`,
      ).all(key, limit),
    );
  }

  async listModels(perspective: string, query: ModelQuery): Promise<readonly ModelRecord[]> {
    return await this.#models(perspective, (connection, table) => {
      const missing = missingColumn(table, this.#ownOf(perspective), query);
      if (missing !== null) throw new PropertyNotReadyError(perspective, missing);
      const owners = query.owner === null && layoutOf(table) === 'owned' ? this.#ownersIn(connection, table) : null;
      if (owners?.length === 0) return [];
      const { text, values } = listStatement(table, query, owners);
      return this.#prepare(connection, text).all(...values);
    });
  }

  /** Null: there are too many to ask for the models of each. */
  #ownersIn(connection: Connection, table: PerspectiveTable): readonly string[] | null {
    const rows = this.#prepare(connection, ownersStatement(table, mostOwners + 1)).all();
    return rows.length > mostOwners ? null : rows.map((row) => row['owner'] as string);
  }

  /** What a table answers, as it is now. */
  async #models(
    perspective: string,
    read: (connection: Connection, table: PerspectiveTable) => Row[],
  ): Promise<readonly ModelRecord[]> {
    const rows = await this.#withTables(perspective, (connection) =>
      connection.unlocked(() => read(connection, this.#kept(connection, perspective).table)),
    );
    return rows.map(toModel);
  }

  async readStopped(perspective: string): Promise<readonly StoppedStream[]> {
    const text = 'SELECT * FROM svc_perspectives_stopped WHERE perspective = ? ORDER BY stream_id';
    return (await this.#rows(perspective, text, perspective)).map(toStopped);
  }

  async readRewinds(lane: string): Promise<readonly OpenRewind[]> {
    const connection = await this.#open();
    const rows = await connection.unlocked(() => connection.sql.readRewinds.all(lane));
    return rows.map((row) => JSON.parse(row['rewind'] as string) as OpenRewind);
  }

  async readSources(
    perspective: string,
    id: string,
    afterEventId: Uuid | null,
    next: SourceKey | null,
  ): Promise<SourcePage> {
    const text = `SELECT * FROM ${tableNamesOf(perspective).sources} WHERE id = ? AND (stream_id, block) < (?, ?)
      ORDER BY stream_id DESC, block DESC LIMIT ${sourcesPerPage}`;
    const { streamId, block } = next ?? behindAllSources;
    const rows = (await this.#rows(perspective, text, id, streamId, block)).map(toSource);
    const sources = rows.filter(({ lastEventId }) => afterEventId === null || lastEventId > afterEventId);
    return { sources, next: rows.length < sourcesPerPage ? null : rows.at(-1)! };
  }

  async readModelIds(perspective: string, streamId: Uuid): Promise<readonly string[]> {
    const text = `SELECT DISTINCT id FROM ${tableNamesOf(perspective).sources} WHERE stream_id = ?`;
    return (await this.#rows(perspective, text, streamId)).map((row) => row['id'] as string);
  }

  async readSnapshot(perspective: string, id: string, beforeEventId: Uuid): Promise<ModelSnapshot | null> {
    const text = `SELECT * FROM ${tableNamesOf(perspective).snapshots}
      WHERE id = ? AND event_id < ? ORDER BY event_id DESC LIMIT 1`;
    const [row] = await this.#rows(perspective, text, id, beforeEventId);
    return row === undefined ? null : toSnapshot(row);
  }

  async commitPerspective(commit: PerspectiveCommit): Promise<void> {
    const { perspective, from } = commit;
    const own = this.#ownOf(perspective);
    await this.#withTables(perspective, (connection) =>
      connection.derivedTransaction(() => {
        const { columns } = this.#requirePlace(connection, perspective, from).table;
        const models = withFilledColumns(commit.models, own.columns, columns);
        keepBatch((text) => this.#prepare(connection, text), { ...commit, models }, columns, from.revision + 1);
        keepReports(connection.sql, commit);
      }),
    );
  }

  async replacePerspective(perspective: string, by: string, from: Progress, byFrom: Progress): Promise<void> {
    await this.#withTables(perspective, (connection) =>
      connection.transaction(() => {
        const live = this.#requirePlace(connection, perspective, from);
        const beside = readKept(connection, by);
        // Another process that filled the same tables has put them in the place of the perspective, or removed them.
        if (beside === undefined || !isAt(beside, byFrom)) {
          throw new PerspectiveMovedError(by, byFrom.sequence, beside?.sequence ?? -1);
        }
        // The table was migrated meanwhile: the other one lacks what it has now.
        if (live.text !== beside.text) throw new PerspectiveDefinedOtherwiseError(perspective);
        replaceTables(connection, perspective, live, beside);
      }),
    );
    this.#forget(by);
  }

  async clearPerspective(perspective: string): Promise<void> {
    await this.#withTables(perspective, (connection) =>
      connection.transaction(() => {
        const kept = this.#kept(connection, perspective);
        this.#requireOwnVersion(perspective, kept);
        emptyTables(connection, kept);
      }),
    );
  }

  async readBesides(perspective: string): Promise<readonly BesideTables[]> {
    const text = `SELECT beside.name, beside.sequence, beside.definition = live.definition AS alike
      FROM svc_perspectives live JOIN svc_perspectives beside ON beside.name > live.name || '~' AND beside.name < live.name || '~~'
      WHERE live.name = ?`;
    const rows = await this.#rows(perspective, text, perspective);
    return rows.map((row) => ({
      name: row['name'] as string,
      sequence: row['sequence'] as number,
      isAlike: row['alike'] === 1,
    }));
  }

  async removePerspective(perspective: string): Promise<void> {
    const connection = await this.#open();
    await connection.transaction(() => removeTables(connection, perspective));
    this.#forget(perspective);
  }

  /** What this host knows of a perspective, and of what is filled beside it. */
  #ownOf(perspective: string): PerspectiveTable {
    return this.#own.get(perspectiveOfName(perspective)) ?? { perspective, columns: [] };
  }

  #requireOwnVersion(perspective: string, { table }: Kept): void {
    if (!isSameVersion(this.#ownOf(perspective), table)) throw new PerspectiveDefinedOtherwiseError(perspective);
  }

  async #rows(perspective: string, text: string, ...values: readonly SqlValue[]): Promise<Row[]> {
    return await this.#withTables(perspective, (connection) =>
      connection.unlocked(() => this.#prepare(connection, text).all(...values)),
    );
  }

  /** Another process may have put the tables in the place of others, or removed them: then they are made again. */
  async #withTables<T>(perspective: string, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#open();
    await this.#make(connection, perspective);
    try {
      return await work(connection);
    } catch (error) {
      if (!isMissingTable(error) && !(error instanceof TablesGoneError)) throw error;
      this.#made.delete(perspective);
      await this.#make(connection, perspective);
      return await work(connection);
    }
  }

  /** Tables that migrations have not made: those that are filled beside others look like them. */
  async #make(connection: Connection, perspective: string): Promise<void> {
    if (this.#made.has(perspective)) return;
    const of = perspectiveOfName(perspective);
    if (of !== perspective) await this.#make(connection, of);
    await connection.transaction(() => {
      if (readKept(connection, perspective) !== undefined) return;
      if (isAsideName(perspective)) throw new PerspectiveDefinedOtherwiseError(of);
      const live = of === perspective ? undefined : this.#kept(connection, of);
      makeTables(connection, { ...(live?.table ?? this.#ownOf(perspective)), perspective }, live?.revision ?? 0);
    });
    this.#made.add(perspective);
  }

  #requirePlace(connection: Connection, perspective: string, from: Progress): Kept {
    const kept = this.#kept(connection, perspective);
    this.#requireOwnVersion(perspective, kept);
    if (!isAt(kept, from)) throw new PerspectiveMovedError(perspective, from.sequence, kept.sequence);
    return kept;
  }

  #kept(connection: Connection, perspective: string): Kept {
    const row = this.#prepare(connection, keptStatement).get(perspective);
    if (row === undefined) throw new TablesGoneError();
    const text = row['definition'] as string;
    const last = this.#last.get(perspective);
    const kept = toKept(row, last?.text === text ? last.table : tableOfText(perspective, text));
    this.#last.set(perspective, kept);
    return kept;
  }

  #prepare(connection: Connection, text: string): Statement {
    let statement = this.#prepared.get(text);
    if (statement === undefined) {
      statement = connection.prepare(text);
      const [oldest] = this.#prepared.keys();
      if (this.#prepared.size >= mostPrepared && oldest !== undefined) this.#prepared.delete(oldest);
      this.#prepared.set(text, statement);
    }
    return statement;
  }

  /** Its tables are gone, and with them what was prepared for them. */
  #forget(perspective: string): void {
    this.#made.delete(perspective);
    this.#last.delete(perspective);
    const names: readonly string[] = Object.values(tableNamesOf(perspective));
    for (const text of this.#prepared.keys()) {
      if (names.some((name) => text.includes(name))) this.#prepared.delete(text);
    }
  }
}

/** Nothing is kept of a perspective any more. */
class TablesGoneError extends Error {}

function isMissingTable(error: unknown): boolean {
  return error instanceof Error && /no such table/.test(error.message);
}
