import {
  PerspectiveDefinedOtherwiseError,
  PerspectiveMovedError,
  perspectiveOfName,
  type ModelQuery,
  type ModelRecord,
  type ModelSnapshot,
  type PerspectiveColumn,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type PerspectiveTable,
  type Progress,
  type StoppedStream,
  type Uuid,
} from '@svc/core';
import type { Connection } from './connection.js';
import type { Row, SqlValue, Statement } from './engine.js';
import { keepBatch } from './keep-batch.js';
import { createTables, dropTables, namesOf, swapTables } from './perspective-ddl.js';
import { listStatement } from './perspective-list.js';
import { modelColumns, toModel, toSnapshot, toStopped } from './perspective-rows.js';

/** How many texts of lists are kept prepared: callers choose their filters. */
const mostPrepared = 200;

/** The perspectives in a database file: a table of models for each, with its sources and snapshots beside it. */
export class SqlitePerspectives implements PerspectiveStorage {
  readonly #open: () => Promise<Connection>;
  readonly #columns = new Map<string, readonly PerspectiveColumn[]>();
  /** Those whose tables are known to be there. */
  readonly #made = new Set<string>();
  readonly #prepared = new Map<string, Statement>();

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
  }

  define(tables: readonly PerspectiveTable[]): void {
    for (const { perspective, columns } of tables) {
      this.#columns.set(perspective, columns);
      this.#made.delete(perspective);
    }
  }

  async readProgress(perspective: string): Promise<Progress> {
    const text = 'SELECT sequence, revision FROM svc_perspectives WHERE name = ?';
    const [row] = await this.#rows(perspective, text, perspective);
    return { sequence: Number(row?.['sequence'] ?? -1), revision: Number(row?.['revision'] ?? 0) };
  }

  async readModels(perspective: string, keys: readonly string[]): Promise<readonly ModelRecord[]> {
    const text = `SELECT ${modelColumns} FROM ${namesOf(perspective).models} WHERE key IN (SELECT value FROM json_each(?))`;
    return (await this.#rows(perspective, text, JSON.stringify(keys))).map(toModel);
  }

  async listModels(perspective: string, query: ModelQuery): Promise<readonly ModelRecord[]> {
    const { text, values } = listStatement(perspective, this.#columnsOf(perspective), query);
    return (await this.#rows(perspective, text, ...values)).map(toModel);
  }

  async readStopped(perspective: string): Promise<readonly StoppedStream[]> {
    const text = 'SELECT * FROM svc_perspectives_stopped WHERE perspective = ? ORDER BY stream_id';
    return (await this.#rows(perspective, text, perspective)).map(toStopped);
  }

  async readSources(perspective: string, key: string, afterEventId: Uuid | null): Promise<readonly Uuid[]> {
    const text = `SELECT stream_id FROM ${namesOf(perspective).sources} WHERE key = ? AND last_event_id > ?`;
    const rows = await this.#rows(perspective, text, key, afterEventId ?? '');
    return rows.map((row) => row['stream_id'] as Uuid);
  }

  async readKeys(perspective: string, streamId: Uuid): Promise<readonly string[]> {
    const text = `SELECT key FROM ${namesOf(perspective).sources} WHERE stream_id = ?`;
    return (await this.#rows(perspective, text, streamId)).map((row) => row['key'] as string);
  }

  async readSnapshot(perspective: string, key: string, beforeEventId: Uuid): Promise<ModelSnapshot | null> {
    const text = `SELECT * FROM ${namesOf(perspective).snapshots}
      WHERE key = ? AND event_id < ? ORDER BY event_id DESC LIMIT 1`;
    const [row] = await this.#rows(perspective, text, key, beforeEventId);
    return row === undefined ? null : toSnapshot(row);
  }

  async commitPerspective(commit: PerspectiveCommit): Promise<void> {
    const { perspective, from } = commit;
    const columns = this.#columnsOf(perspective);
    await this.#withTables(perspective, (connection) =>
      connection.derivedTransaction(() => {
        this.#requirePlace(connection, perspective, from);
        keepBatch((text) => this.#prepare(connection, text), commit, columns, from.revision + 1);
      }),
    );
  }

  async replacePerspective(perspective: string, by: string, from: Progress): Promise<void> {
    await this.#make(await this.#open(), by);
    await this.#withTables(perspective, (connection) =>
      connection.transaction(() => {
        const live = this.#requirePlace(connection, perspective, from);
        const beside = this.#place(connection, by);
        // Above that of any of its models, as after a commit.
        const revision = Math.max(live.revision, beside?.revision ?? 0) + 1;
        connection.exec(swapTables(perspective, by));
        const run = (text: string, ...values: SqlValue[]): void => void this.#prepare(connection, text).run(...values);
        run('DELETE FROM svc_perspectives WHERE name = ?', perspective);
        run('DELETE FROM svc_perspectives_stopped WHERE perspective = ?', perspective);
        run('UPDATE svc_perspectives SET name = ?, revision = ? WHERE name = ?', perspective, revision, by);
        run('UPDATE svc_perspectives_stopped SET perspective = ? WHERE perspective = ?', perspective, by);
      }),
    );
    this.#forget(by);
  }

  async clearPerspective(perspective: string): Promise<void> {
    await this.#withTables(perspective, (connection) =>
      connection.transaction(() => this.#makeAnew(connection, perspective)),
    );
  }

  async removePerspective(perspective: string): Promise<void> {
    const connection = await this.#open();
    await connection.transaction(() => {
      connection.exec(dropTables(perspective));
      this.#prepare(connection, 'DELETE FROM svc_perspectives WHERE name = ?').run(perspective);
      this.#prepare(connection, 'DELETE FROM svc_perspectives_stopped WHERE perspective = ?').run(perspective);
    });
    this.#forget(perspective);
  }

  #columnsOf(perspective: string): readonly PerspectiveColumn[] {
    return this.#columns.get(perspectiveOfName(perspective)) ?? [];
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
      if (isMissingColumn(error)) throw new PerspectiveDefinedOtherwiseError(perspective);
      if (!isMissingTable(error)) throw error;
      this.#made.delete(perspective);
      await this.#make(connection, perspective);
      return await work(connection);
    }
  }

  async #make(connection: Connection, perspective: string): Promise<void> {
    if (this.#made.has(perspective)) return;
    const definition = JSON.stringify(this.#columnsOf(perspective));
    await connection.transaction(() => {
      const known = this.#place(connection, perspective);
      if (known === undefined) {
        connection.exec(createTables(perspective, this.#columnsOf(perspective)));
        const insert = 'INSERT INTO svc_perspectives (name, sequence, revision, definition) VALUES (?, -1, 0, ?)';
        this.#prepare(connection, insert).run(perspective, definition);
      } else if (known.definition !== definition) {
        this.#makeAnew(connection, perspective);
      }
    });
    this.#made.add(perspective);
  }

  #makeAnew(connection: Connection, perspective: string): void {
    const columns = this.#columnsOf(perspective);
    connection.exec(`${dropTables(perspective)} ${createTables(perspective, columns)}`);
    this.#prepare(connection, 'DELETE FROM svc_perspectives_stopped WHERE perspective = ?').run(perspective);
    const update = 'UPDATE svc_perspectives SET sequence = -1, revision = revision + 1, definition = ? WHERE name = ?';
    this.#prepare(connection, update).run(JSON.stringify(columns), perspective);
  }

  #requirePlace(connection: Connection, perspective: string, from: Progress): Place {
    const place = this.#place(connection, perspective);
    if (place !== undefined && place.definition !== JSON.stringify(this.#columnsOf(perspective))) {
      throw new PerspectiveDefinedOtherwiseError(perspective);
    }
    if (place?.revision !== from.revision) {
      throw new PerspectiveMovedError(perspective, from.sequence, place?.sequence ?? -1);
    }
    return place;
  }

  #place(connection: Connection, perspective: string): Place | undefined {
    const text = 'SELECT sequence, revision, definition FROM svc_perspectives WHERE name = ?';
    return this.#prepare(connection, text).get(perspective) as unknown as Place | undefined;
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
    const names: readonly string[] = Object.values(namesOf(perspective));
    for (const text of this.#prepared.keys()) {
      if (names.some((name) => text.includes(name))) this.#prepared.delete(text);
    }
  }
}

interface Place {
  readonly sequence: number;
  readonly revision: number;
  readonly definition: string;
}

function isMissingColumn(error: unknown): boolean {
  return error instanceof Error && /no such column/.test(error.message);
}

function isMissingTable(error: unknown): boolean {
  return error instanceof Error && /no such table/.test(error.message);
}
