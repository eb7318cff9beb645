import {
  isAsideName,
  isSameVersion,
  PerspectiveDefinedOtherwiseError,
  perspectiveOfName,
  tableNamesOf,
  toRecordedTables,
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
  /** Those whose tables are known to be there. */
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

  /** What this process knows of a perspective, and of what is filled beside it. */
  ownOf(perspective: string): PerspectiveTable {
    return this.#own.get(perspectiveOfName(perspective)) ?? { perspective, columns: [] };
  }

  requireOwnVersion(perspective: string, { table }: RecordedTables): void {
    if (!isSameVersion(this.ownOf(perspective), table)) throw new PerspectiveDefinedOtherwiseError(perspective);
  }

  /** Another process may have put the tables in the place of others, or removed them: then they are made again. */
  async withTables<T>(perspective: string, work: (connection: Connection) => Promise<T>): Promise<T> {
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

  /** What is recorded of tables, as it is now; inside `withTables`. */
  read(connection: Connection, perspective: string): RecordedTables {
    const row = this.prepare(connection, recordedStatement).get(perspective);
    if (row === undefined) throw new TablesGoneError();
    const recorded = toRecordedTables(perspective, row, this.#last.get(perspective));
    this.#last.set(perspective, recorded);
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

  /** Its tables are gone, and with them what was prepared for them. */
  forget(perspective: string): void {
    this.#made.delete(perspective);
    this.#last.delete(perspective);
    const names: readonly string[] = Object.values(tableNamesOf(perspective));
    for (const text of this.#prepared.keys()) {
      if (names.some((name) => text.includes(name))) this.#prepared.delete(text);
    }
  }

  /** Tables that migrations have not made: those that are filled beside others look like them. */
  async #make(connection: Connection, perspective: string): Promise<void> {
    if (this.#made.has(perspective)) return;
    const of = perspectiveOfName(perspective);
    if (of !== perspective) await this.#make(connection, of);
    await connection.transaction(() => {
      if (readTables(connection, perspective) !== undefined) return;
      if (isAsideName(perspective)) throw new PerspectiveDefinedOtherwiseError(of);
      const live = of === perspective ? undefined : this.read(connection, of);
      makeTables(connection, { ...(live?.table ?? this.ownOf(perspective)), perspective }, live?.revision ?? 0);
    });
    this.#made.add(perspective);
  }
}

/** Nothing is recorded of the tables any more. */
class TablesGoneError extends Error {}
