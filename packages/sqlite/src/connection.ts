import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError, StorageUnavailableError } from '@svc/core';
import { isBusy, openDatabase, type Database, type Row, type SqlValue, type Statement } from './engine.js';
import { prepare, type Statements } from './statements.js';

/**
 * SQLite waits for locks by blocking the thread, and with it every request: it may do so for a moment only. Whoever waits longer
 * lets others go on and tries again.
 */
const blockingMs = 20;
const firstPauseMs = 1;
const longestPauseMs = 50;

/** A database file, open. */
export class Connection {
  readonly #database: Database;
  readonly #lockTimeoutMs: number;
  readonly #begin: Statement;
  readonly #commit: Statement;
  #statements: Statements | undefined;

  private constructor(database: Database, lockTimeoutMs: number) {
    this.#database = database;
    this.#lockTimeoutMs = lockTimeoutMs;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
  }

  /** Opens the file, with whatever is in it. Several processes may do so at once. */
  static async open(file: string, lockTimeoutMs: number): Promise<Connection> {
    try {
      if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
      const database = openDatabase(file);
      database.exec(`PRAGMA busy_timeout = ${blockingMs}`);
      // FULL: a record that was answered for survives a power failure, not only the end of the process.
      await unlocked(lockTimeoutMs, () => database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;'));
      return new Connection(database, lockTimeoutMs);
    } catch (error) {
      throw new ServiceError('SVC_STORAGE_UNAVAILABLE', `The database file ${file} cannot be opened.`, {
        cause: error,
      });
    }
  }

  /** The statements of the storage; the tables have to be there. */
  get sql(): Statements {
    this.#statements ??= prepare(this.#database);
    return this.#statements;
  }

  /** Runs one statement that nobody else runs. */
  rows(sql: string, ...values: SqlValue[]): Row[] {
    return this.#database.prepare(sql).all(...values);
  }

  /** Runs `work` as one transaction, alone. What it throws undoes everything. */
  transaction<T>(work: () => T, lockTimeoutMs = this.#lockTimeoutMs): Promise<T> {
    // In one go: whatever else this process does over the same connection comes before it or after it.
    return unlocked(lockTimeoutMs, () => this.#transaction(work));
  }

  /**
   * The same for what can be made anew from the events: it does not wait for the disk. A power failure may undo it, in the order
   * in which it was kept, and never without what was kept later.
   */
  derivedTransaction<T>(work: () => T): Promise<T> {
    return this.unlocked(() => {
      this.#database.exec('PRAGMA synchronous = NORMAL');
      try {
        return this.#transaction(work);
      } finally {
        this.#database.exec('PRAGMA synchronous = FULL');
      }
    });
  }

  prepare(text: string): Statement {
    return this.#database.prepare(text);
  }

  /** Runs any number of statements that nobody else runs. */
  exec(text: string): void {
    this.#database.exec(text);
  }

  /** Runs `work` as soon as no other process is in its way. */
  unlocked<T>(work: () => T): Promise<T> {
    return unlocked(this.#lockTimeoutMs, work);
  }

  close(): void {
    this.#database.close();
  }

  #transaction<T>(work: () => T): T {
    this.#begin.run();
    let result: T;
    try {
      result = work();
    } catch (error) {
      rollBack(this.#database);
      throw error;
    }
    try {
      this.#commit.run();
    } catch (error) {
      rollBack(this.#database);
      throw new StorageUnavailableError('unknown', error);
    }
    return result;
  }
}

async function unlocked<T>(timeoutMs: number, work: () => T): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > end) throw new StorageUnavailableError('none', error);
    }
    await sleep(pause * (0.5 + Math.random()));
  }
}

/** After some failures SQLite has rolled back by itself, and there is nothing left to undo. */
function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // That is what it says then.
  }
}
