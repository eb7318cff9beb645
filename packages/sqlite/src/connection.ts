import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '@svc/core';
import { StorageDamagedError, StorageUnavailableError } from '@svc/core/storage';
import { openDatabase, type Database, type Row, type SqlValue, type Statement } from './engine.js';
import { failureKind } from './failures.js';
import { createPrivately } from './private-file.js';
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
  readonly #file: string;
  readonly #inode: number | null;
  #statements: Statements | undefined;

  private constructor(database: Database, file: string, lockTimeoutMs: number) {
    this.#database = database;
    this.#file = file;
    this.#inode = inodeOf(file);
    this.#lockTimeoutMs = lockTimeoutMs;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
  }

  /** Opens the file, with whatever is in it. Several processes may do so at once. */
  static async open(file: string, lockTimeoutMs: number): Promise<Connection> {
    let database: Database | undefined;
    try {
      if (file !== ':memory:') createPrivately(file);
      const opened = openDatabase(file);
      database = opened;
      opened.exec(`PRAGMA busy_timeout = ${blockingMs}`);
      await unlocked(lockTimeoutMs, () => {
        // FULL: a record that was answered for survives a power failure, not only the end of the process.
        opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
        // A file that may only be read is opened without a word: it has to be asked to write, if nothing.
        opened.exec('PRAGMA user_version = 0');
      });
      return new Connection(opened, file, lockTimeoutMs);
    } catch (error) {
      database?.close();
      const failure = failureOf(error);
      if (failure instanceof StorageDamagedError) throw failure;
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

  /** Another number when another connection has written to the file. */
  dataVersion(): number {
    return this.sql.dataVersion.get()!['data_version'] as number;
  }

  /** Rejects when the file is not read any more, or is another one by now: what is kept would be gone with the process. */
  async ping(): Promise<void> {
    await this.unlocked(() => this.sql.ping.get());
    if (inodeOf(this.#file) !== this.#inode)
      throw new Error(`${this.#file} is another file than the one that was opened.`);
  }

  /** Leaves everything in the one file, where it can, so that it can be copied as it lies there. */
  close(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Somebody else uses the file, or it is full or damaged: the log beside it has what is missing in it.
    }
    this.#database.close();
  }

  #transaction<T>(work: () => T): T {
    this.#begin.run();
    let result: T;
    try {
      result = work();
    } catch (error) {
      rollBack(this.#database);
      throw failureOf(error);
    }
    try {
      this.#commit.run();
    } catch (error) {
      rollBack(this.#database);
      // Without room nothing was written that counts; of other failures nobody knows.
      if (failureKind(error) === 'full') throw failureOf(error);
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
      if (failureKind(error) !== 'busy') throw failureOf(error);
      if (performance.now() > end) throw new StorageUnavailableError('none', error);
    }
    await sleep(pause * (0.5 + Math.random()));
  }
}

/** What a failure of SQLite is to the service; what is not the database's own trouble stays as it is. */
function failureOf(error: unknown): unknown {
  const kind = failureKind(error);
  if (kind === 'damaged') return new StorageDamagedError(error);
  if (kind === 'full') return new StorageUnavailableError('none', error, 'full');
  if (kind === 'readOnly') return new StorageUnavailableError('none', error, 'read-only');
  return kind === 'io' ? new StorageUnavailableError('none', error) : error;
}

/** Which file it is, whatever its name. */
function inodeOf(file: string): number | null {
  return file === ':memory:' ? null : statSync(file).ino;
}

/** After some failures SQLite has rolled back by itself, and there is nothing left to undo. */
function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // That is what it says then.
  }
}
