import {
  asTables,
  isSameVersion,
  PerspectiveDefinedOtherwiseError,
  tableNamesOf,
  toRecordedTables,
  type ModelTables,
  type PerspectiveTable,
  type RecordedTables,
} from '@svc/core/storage';
import type { Connection } from './connection.js';
import type { Statement } from './engine.js';
import { isMissingTable } from './failures.js';
import { makeTables, readTables, recordedStatement, removeAllTables } from './perspective-changes.js';

/** How many statements stay prepared. The number is limited, because callers choose the filters of lists. */
const mostPrepared = 200;

/** The tables of perspectives and their columns. Creates missing tables. */
export class PerspectiveTables {
  readonly #open: () => Promise<Connection>;
  readonly #own = new Map<string, PerspectiveTable>();
  /** The names of the tables that exist. */
  readonly #made = new Set<string>();
  /** The records of the tables as last read. */
  readonly #last = new Map<string, RecordedTables>();
  readonly #prepared = new Map<string, Statement>();

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
  }

  define(tables: readonly PerspectiveTable[]): void {
    for (const table of tables) this.#own.set(table.perspective, table);
  }

  /** The perspectives of this process. */
  get own(): Iterable<string> {
    return this.#own.keys();
  }

  /** The definition of a perspective in the code of this process. */
  ownOf(perspective: string): PerspectiveTable {
    return this.#own.get(perspective) ?? { perspective, columns: [] };
  }

  requireOwnVersion({ tables: { perspective }, table }: RecordedTables): void {
    if (!isSameVersion(this.ownOf(perspective), table)) throw new PerspectiveDefinedOtherwiseError(perspective);
  }

  /** Runs `work` on tables. If another process has renamed or removed them, creates them and retries. */
  async withTables<T>(tables: ModelTables, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#open();
    await this.#make(connection, tables);
    try {
      return await work(connection);
    } catch (error) {
      if (!isMissingTable(error) && !(error instanceof TablesGoneError)) throw error;
      this.#made.delete(tables.name);
      await this.#make(connection, tables);
      return await work(connection);
    }
  }

  /** The current record of tables. Must be called inside `withTables`. */
  read(connection: Connection, tables: ModelTables): RecordedTables {
    const row = this.prepare(connection, recordedStatement).get(tables.name);
    if (row === undefined) throw new TablesGoneError();
    const recorded = toRecordedTables(tables, row, this.#last.get(tables.name));
    this.#last.set(tables.name, recorded);
    return recorded;
  }

  prepare(connection: Connection, text: string): Statement {
    let statement = this.#prepared.get(text);
    if (statement === undefined) {
      statement = connection.prepare(text);
      const [oldest] = this.#prepared.keys();
      if (this.#prepared.size >= mostPrepared && oldest !== undefined) this.#prepared.delete(oldest);
      this.#prepared.set(text, statement);
    }
    return statement;
  }

  /** Removes all tables of a perspective. */
  async removeAll(perspective: string): Promise<void> {
    const connection = await this.#open();
    const removed = await connection.transaction(() => removeAllTables(connection, perspective));
    for (const tables of removed) this.forget(tables);
  }

  /** Forgets removed tables and their prepared statements. */
  forget({ name }: ModelTables): void {
    this.#made.delete(name);
    this.#last.delete(name);
    const gone: readonly string[] = Object.values(tableNamesOf(name));
    for (const text of this.#prepared.keys()) {
      if (gone.some((table) => text.includes(table))) this.#prepared.delete(text);
    }
  }

  /** Creates tables that no migration creates. Tables that will replace others have the same columns. */
  async #make(connection: Connection, tables: ModelTables): Promise<void> {
    const { name, perspective, role } = tables;
    if (this.#made.has(name)) return;
    const serving = asTables(perspective);
    if (role !== 'serving') await this.#make(connection, serving);
    await connection.transaction(() => {
      if (readTables(connection, tables) !== undefined) return;
      // Retained tables are never created here.
      if (role === 'retained') throw new PerspectiveDefinedOtherwiseError(perspective);
      const replaced = role === 'serving' ? undefined : this.read(connection, serving);
      makeTables(connection, tables, replaced?.table ?? this.ownOf(perspective), replaced?.revision ?? 0);
    });
    this.#made.add(name);
  }
}

/** The record of the tables was deleted. */
class TablesGoneError extends Error {}
