import { type Uuid } from '@svc/core';
import {
  asideName,
  idsIn,
  isAt,
  isSameVersion,
  keptPerspective,
  layoutOf,
  listStatement,
  missingColumn,
  modelsOf,
  mostOwnersListed,
  ownersStatement,
  PerspectiveDefinedOtherwiseError,
  PerspectiveMovedError,
  PropertyNotReadyError,
  sourcesPerPage,
  tableNamesOf,
  tableOfText,
  toSnapshot,
  toSource,
  toStopped,
  withFilledColumns,
  type BesideTables,
  type KeptPerspective,
  type ModelQuery,
  type ModelRecord,
  type ModelSnapshot,
  type OpenRewind,
  type PerspectiveCommit,
  type PerspectiveStanding,
  type PerspectiveStorage,
  type PerspectiveTable,
  type Progress,
  type RecordedTables,
  type SourceKey,
  type SourcePage,
  type StoppedStream,
} from '@svc/core/storage';
import type { Connection } from './connection.js';
import type { Row, SqlValue } from './engine.js';
import { emptyTables, readTables, removeTables, replaceTables } from './perspective-changes.js';
import { writeBatch, writeReports } from './perspective-commit.js';
import { listDialect, modelOf } from './perspective-rows.js';
import { PerspectiveTables } from './perspective-tables.js';
import { toStanding } from './standings.js';

/** SQLite runs in the process of the service: a larger commit would block requests. */
export const largestCommit = 1_000;

/** Behind the sources of all streams. */
const behindAllSources = { streamId: 'g', block: 0 };

/** The perspectives in a database file: a table of models for each, with its sources and snapshots beside it. */
export class SqlitePerspectives implements PerspectiveStorage {
  readonly largestCommit = largestCommit;
  readonly #open: () => Promise<Connection>;
  readonly #tables: PerspectiveTables;

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
    this.#tables = new PerspectiveTables(open);
  }

  define(tables: readonly PerspectiveTable[]): void {
    this.#tables.define(tables);
  }

  async ownPlace(perspective: string): Promise<string | null> {
    const own = this.#tables.ownOf(perspective);
    return await this.#tables.withTables(perspective, (connection) =>
      connection.unlocked(() => {
        if (isSameVersion(own, this.#tables.read(connection, perspective).table)) return perspective;
        const aside = asideName(perspective, own.version!);
        return readTables(connection, aside) === undefined ? null : aside;
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

  async readStandings(perspectives: readonly string[], limit: number): Promise<readonly PerspectiveStanding[]> {
    const connection = await this.#open();
    const wanted = perspectives.map((name) => ({ name, ...this.#asideOf(name) }));
    const rows = await connection.unlocked(() => connection.sql.standings.all(limit, JSON.stringify(wanted)));
    return rows.map(toStanding);
  }

  /** What this process would call its models were they put aside; for those it has never named, nothing. */
  #asideOf(perspective: string): { readonly version: string; readonly aside: string } | null {
    const { version = null } = this.#tables.ownOf(perspective);
    return version === null ? null : { version, aside: asideName(perspective, version) };
  }

  async readProgress(perspective: string): Promise<Progress> {
    return await this.#tables.withTables(perspective, (connection) =>
      connection.unlocked(() => {
        const { sequence, revision, table } = this.#tables.read(connection, perspective);
        const isOwn = isSameVersion(this.#tables.ownOf(perspective), table);
        return isOwn ? { sequence, revision } : { sequence, revision, ofOtherVersion: true };
      }),
    );
  }

  async readModels(perspective: string, ids: readonly string[]): Promise<readonly ModelRecord[]> {
    return await this.#models(perspective, (connection, table) =>
      this.#tables
        .prepare(
          connection,
          `SELECT ${listDialect.modelColumns} FROM ${modelsOf(table)} WHERE id IN (SELECT value FROM json_each(?))`,
        )
        .all(JSON.stringify(idsIn(table, ids))),
    );
  }

  async findModels(perspective: string, key: string, limit: number): Promise<readonly ModelRecord[]> {
    // Ids begin with the key: those that do are one range of their index.
    return await this.#models(perspective, (connection, table) =>
      this.#tables
        .prepare(
          connection,
          `SELECT ${listDialect.modelColumns} FROM ${modelsOf(table)}
         WHERE id >= ?1 AND id < ?1 || ' ' AND key = ?1 AND body IS NOT NULL LIMIT ?2`,
        )
        .all(key, limit),
    );
  }

  async listModels(perspective: string, query: ModelQuery): Promise<readonly ModelRecord[]> {
    return await this.#models(perspective, (connection, table) => {
      const missing = missingColumn(table, this.#tables.ownOf(perspective), query);
      if (missing !== null) throw new PropertyNotReadyError(perspective, missing);
      const owners = query.owner === null && layoutOf(table) === 'owned' ? this.#ownersIn(connection, table) : null;
      if (owners?.length === 0) return [];
      const { text, values } = listStatement(table, query, owners, listDialect);
      return this.#tables.prepare(connection, text).all(...values);
    });
  }

  /** Null: there are too many to ask for the models of each. */
  #ownersIn(connection: Connection, table: PerspectiveTable): readonly string[] | null {
    const rows = this.#tables.prepare(connection, ownersStatement(table)).all();
    return rows.length > mostOwnersListed ? null : rows.map((row) => row['owner'] as string);
  }

  /** What a table answers, as it is now. */
  async #models(
    perspective: string,
    read: (connection: Connection, table: PerspectiveTable) => Row[],
  ): Promise<readonly ModelRecord[]> {
    const rows = await this.#tables.withTables(perspective, (connection) =>
      connection.unlocked(() => read(connection, this.#tables.read(connection, perspective).table)),
    );
    return rows.map(modelOf);
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
    const own = this.#tables.ownOf(perspective);
    await this.#tables.withTables(perspective, (connection) =>
      connection.derivedTransaction(() => {
        const { columns } = this.#requirePlace(connection, perspective, from).table;
        const models = withFilledColumns(commit.models, own.columns, columns);
        writeBatch((text) => this.#tables.prepare(connection, text), { ...commit, models }, columns, from.revision + 1);
        writeReports(connection.sql, commit);
      }),
    );
  }

  async replacePerspective(perspective: string, by: string, from: Progress, byFrom: Progress): Promise<void> {
    await this.#tables.withTables(perspective, (connection) =>
      connection.transaction(() => {
        const live = this.#requirePlace(connection, perspective, from);
        const beside = readTables(connection, by);
        // Another process that filled the same tables has put them in the place of the perspective, or removed them.
        if (beside === undefined || !isAt(beside, byFrom)) {
          throw new PerspectiveMovedError(by, byFrom.sequence, beside?.sequence ?? -1);
        }
        // The table was migrated meanwhile: the other one lacks what it has now.
        if (live.text !== beside.text) throw new PerspectiveDefinedOtherwiseError(perspective);
        replaceTables(connection, perspective, live, beside);
      }),
    );
    this.#tables.forget(by);
  }

  async clearPerspective(perspective: string): Promise<void> {
    await this.#tables.withTables(perspective, (connection) =>
      connection.transaction(() => {
        const recorded = this.#tables.read(connection, perspective);
        this.#tables.requireOwnVersion(perspective, recorded);
        emptyTables(connection, recorded);
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
    this.#tables.forget(perspective);
  }

  async #rows(perspective: string, text: string, ...values: readonly SqlValue[]): Promise<Row[]> {
    return await this.#tables.withTables(perspective, (connection) =>
      connection.unlocked(() => this.#tables.prepare(connection, text).all(...values)),
    );
  }

  #requirePlace(connection: Connection, perspective: string, from: Progress): RecordedTables {
    const recorded = this.#tables.read(connection, perspective);
    this.#tables.requireOwnVersion(perspective, recorded);
    if (!isAt(recorded, from)) throw new PerspectiveMovedError(perspective, from.sequence, recorded.sequence);
    return recorded;
  }
}
