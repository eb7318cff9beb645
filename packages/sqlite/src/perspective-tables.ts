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
import { makeTables, readTables, recordedStatement } from './perspective-changes.js';

/** How many statements stay prepared: callers choose the filters of lists. */
const mostPrepared = 200;

/** Which tables of perspectives there are, and what they look like; those that are missing are made. */
export class PerspectiveTables {
  readonly #open: () => Promise<Connection>;
  readonly #own = new Map<string, PerspectiveTable>();
  /** The names of those that are known to be there. */
  readonly #made = new Set<string>();
  /** What was last read of them. */
  readonly #last = new Map<string, RecordedTables>();
  readonly #prepared = new Map<string, Statement>();

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
  }

  define(tables: readonly PerspectiveTable[]): void {
    for (const table of tables) this.#own.set(table.perspective, table);
  }

  /** What this process knows of a perspective. */
  ownOf(perspective: string): PerspectiveTable {
    return this.#own.get(perspective) ?? { perspective, columns: [] };
  }

  requireOwnVersion({ tables: { perspective }, table }: RecordedTables): void {
    if (!isSameVersion(this.ownOf(perspective), table)) throw new PerspectiveDefinedOtherwiseError(perspective);
  }

  /** Another process may have replaced others by the tables, or removed them: then they are made again. */
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

  /** What is recorded of tables, as it is now; inside `withTables`. */
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

  /** They are gone, and with them what was prepared for them. */
  forget({ name }: ModelTables): void {
    this.#made.delete(name);
    this.#last.delete(name);
    const gone: readonly string[] = Object.values(tableNamesOf(name));
    for (const text of this.#prepared.keys()) {
      if (gone.some((table) => text.includes(table))) this.#prepared.delete(text);
    }
  }

  /** Tables that migrations have not made: those that are to replace others look like them. */
  async #make(connection: Connection, tables: ModelTables): Promise<void> {
    const { name, perspective, role } = tables;
    if (this.#made.has(name)) return;
    const serving = asTables(perspective);
    if (role !== 'serving') await this.#make(connection, serving);
    await connection.transaction(() => {
      if (readTables(connection, tables) !== undefined) return;
      // Those are never made when they are asked for: they are there, or they are not.
      if (role === 'retained') throw new PerspectiveDefinedOtherwiseError(perspective);
      const replaced = role === 'serving' ? undefined : this.read(connection, serving);
      makeTables(connection, tables, replaced?.table ?? this.ownOf(perspective), replaced?.revision ?? 0);
    });
    this.#made.add(name);
  }
}

/** Nothing is recorded of the tables any more. */
class TablesGoneError extends Error {}
