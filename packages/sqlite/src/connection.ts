import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError, StorageUnavailableError } from '@svc/core';
import { isBusy, openDatabase, type Database, type Statement } from './engine.js';
import { schema } from './schema.js';
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
  readonly sql: Statements;
  readonly #database: Database;
  readonly #lockTimeoutMs: number;

  private constructor(database: Database, lockTimeoutMs: number) {
    this.#database = database;
    this.#lockTimeoutMs = lockTimeoutMs;
    this.sql = prepare(database);
  }

  /** Opens the file and makes what is missing in it. Several processes may do so at once. */
  static async open(file: string, lockTimeoutMs: number): Promise<Connection> {
    try {
      if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
      const database = openDatabase(file);
      database.exec(`PRAGMA busy_timeout = ${blockingMs}`);
      await unlocked(lockTimeoutMs, () => {
        // FULL: a record that was answered for survives a power failure, not only the end of the process.
        database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
        database.exec(`BEGIN IMMEDIATE; ${schema.map(({ sql }) => sql).join('\n')} COMMIT;`);
      });
      return new Connection(database, lockTimeoutMs);
    } catch (error) {
      throw new ServiceError('SVC_STORAGE_UNAVAILABLE', `The database file ${file} cannot be opened.`, {
        cause: error,
      });
    }
  }

  /** Runs `work` as one transaction, alone: nothing else happens on this connection meanwhile. What it throws undoes everything. */
  async transaction<T>(work: () => T): Promise<T> {
    return await this.unlocked(() => this.#transact(work));
  }

  /**
   * The same for what can be made anew from the events: it does not wait for the disk. A power failure may undo it, in the order
   * in which it was kept, and never without what was kept later.
   */
  async derivedTransaction<T>(work: () => T): Promise<T> {
    return await this.unlocked(() => {
      this.#database.exec('PRAGMA synchronous = NORMAL');
      try {
        return this.#transact(work);
      } finally {
        this.#database.exec('PRAGMA synchronous = FULL');
      }
    });
  }

  #transact<T>(work: () => T): T {
    const { sql } = this;
    sql.begin.run();
    let result: T;
    try {
      result = work();
    } catch (error) {
      rollBack(sql);
      throw error;
    }
    try {
      sql.commit.run();
    } catch (error) {
      rollBack(sql);
      throw new StorageUnavailableError('unknown', error);
    }
    return result;
  }

  prepare(text: string): Statement {
    return this.#database.prepare(text);
  }

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
function rollBack(sql: Statements): void {
  try {
    sql.rollback.run();
  } catch {
    // That is what it says then.
  }
}
