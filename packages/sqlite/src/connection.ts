import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '@svc/core';
import { StorageDamagedError, StorageUnavailableError } from '@svc/core/storage';
import { openDatabase, type Database, type Row, type SqlValue, type Statement } from './engine.js';
import { failureKind } from './failures.js';
import { createPrivately } from './private-file.js';
import { prepare, type Statements } from './statements.js';

/**
 * SQLite blocks the thread, and with it every request, while it waits for a lock. So it waits only briefly. After that, svc retries
 * and runs other work between the attempts.
 */
const blockingMs = 20;
const firstPauseMs = 1;
const longestPauseMs = 50;

/** The pauses between attempts to empty the write-ahead log while other processes read it. */
const firstEmptyingPauseMs = 100;
const longestEmptyingPauseMs = 10_000;

/** The name of a database that is no file. */
export const inMemory = ':memory:';

/** An open database file. */
export class Connection {
  /** Its path, which is absolute. */
  readonly file: string;
  readonly lockTimeoutMs: number;
  readonly #database: Database;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #inode: number | null;
  #statements: Statements | undefined;
  #emptying: NodeJS.Timeout | undefined;

  private constructor(database: Database, file: string, lockTimeoutMs: number) {
    this.#database = database;
    this.file = file === inMemory ? file : resolve(file);
    this.#inode = inodeOf(file);
    this.lockTimeoutMs = lockTimeoutMs;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
  }

  /** Opens the file without checking its tables. Several processes can open it at the same time. */
  static async open(file: string, lockTimeoutMs: number): Promise<Connection> {
    let database: Database | undefined;
    try {
      if (file !== inMemory) createPrivately(file);
      const opened = openDatabase(file);
      database = opened;
      opened.exec(`PRAGMA busy_timeout = ${blockingMs}`);
      await unlocked(lockTimeoutMs, () => {
        // FULL: a committed record survives a power failure, not only a crash of the process.
        opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
        // SQLite opens a read-only file without an error, so a write without effect is attempted.
        opened.exec('PRAGMA user_version = 0');
      });
      return new Connection(opened, file, lockTimeoutMs);
    } catch (error) {
      database?.close();
      const failure = failureOf(error);
      if (failure instanceof ServiceError && failure.code !== 'SVC_STORAGE_UNAVAILABLE') throw failure;
      const reason = reasonOf(error instanceof StorageUnavailableError ? error.cause : error);
      const remedy = 'Check that this process may read and write the file, and that no other process locks it.';
      throw new ServiceError('SVC_STORAGE_UNAVAILABLE', `Cannot open the database file ${file}: ${reason}. ${remedy}`, {
        cause: error,
      });
    }
  }

  /** The statements of the storage. All tables must exist. */
  get sql(): Statements {
    this.#statements ??= prepare(this.#database);
    return this.#statements;
  }

  /** Runs one statement that is not worth preparing for reuse. */
  rows(sql: string, ...values: SqlValue[]): Row[] {
    return this.#database.prepare(sql).all(...values);
  }

  /** Runs `work` in one write transaction and rolls back if it throws. */
  transaction<T>(work: () => T, lockTimeoutMs = this.lockTimeoutMs): Promise<T> {
    // Synchronous: no other work of this process can use the connection during the transaction.
    return unlocked(lockTimeoutMs, () => this.#transaction(work));
  }

  /**
   * The same for data that can be rebuilt from the events: does not wait for the disk. A power failure may undo the last commits, but never
   * a commit without all later ones.
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

  /** The same for secrets: SQLite overwrites what they were with zeros, where it deletes them and where it moves them. This costs writes. */
  secretTransaction<T>(work: () => T): Promise<T> {
    return this.unlocked(() => {
      this.#database.exec('PRAGMA secure_delete = ON');
      try {
        return this.#transaction(work);
      } finally {
        this.#database.exec('PRAGMA secure_delete = OFF');
      }
    });
  }

  /** Resolves when all commits are on the disk, including those of `derivedTransaction`. */
  flush(): Promise<void> {
    // A write without effect, which waits for the disk: what was committed before it is on the disk then, too.
    return this.unlocked(() => this.#database.exec('PRAGMA user_version = 0'));
  }

  prepare(text: string): Statement {
    return this.#database.prepare(text);
  }

  /** Runs any number of statements without parameters. */
  exec(text: string): void {
    this.#database.exec(text);
  }

  /** Runs `work`, and retries while another process locks the file. */
  unlocked<T>(work: () => T): Promise<T> {
    return unlocked(this.lockTimeoutMs, work);
  }

  /** A number that changes when another connection writes to the file. */
  dataVersion(): number {
    return this.sql.dataVersion.get()!['data_version'] as number;
  }

  /** Rejects if the file cannot be read, or was replaced: then commits would be lost when the process ends. */
  async ping(): Promise<void> {
    await this.unlocked(() => this.sql.ping.get());
    if (inodeOf(this.file) !== this.#inode)
      throw new Error(`${this.file} was replaced after svc opened it. Restart the process to open the new file.`);
  }

  /**
   * Moves the write-ahead log into the database file, and empties it: neither contains then what was deleted. While another process reads an earlier
   * state, it is retried in the background, at the latest by `close`.
   */
  emptyLog(pauseMs = firstEmptyingPauseMs): void {
    clearTimeout(this.#emptying);
    this.#emptying = undefined;
    if (this.#tryToEmptyLog()) return;
    const next = Math.min(pauseMs * 2, longestEmptyingPauseMs);
    this.#emptying = setTimeout(() => this.emptyLog(next), pauseMs).unref();
  }

  /** Moves the write-ahead log into the database file, if possible, so that the file can be copied alone. */
  close(): void {
    clearTimeout(this.#emptying);
    this.#tryToEmptyLog();
    this.#database.close();
  }

  #tryToEmptyLog(): boolean {
    try {
      return this.rows('PRAGMA wal_checkpoint(TRUNCATE)')[0]?.['busy'] === 0;
    } catch {
      // Another process uses the file, or the disk is full, or the file is damaged. The write-ahead log contains the rest.
      return false;
    }
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
      // If the disk is full, nothing was committed. After other failures, the outcome is unknown.
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

/** Converts a failure of SQLite to an error of the storage. Other errors are returned unchanged. */
function failureOf(error: unknown): unknown {
  const kind = failureKind(error);
  if (kind === 'damaged') return new StorageDamagedError(error);
  if (kind === 'full') return new StorageUnavailableError('none', error, 'full');
  if (kind === 'readOnly') return new StorageUnavailableError('none', error, 'read-only');
  return kind === 'io' ? new StorageUnavailableError('none', error) : error;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Identifies the file independently of its name. */
function inodeOf(file: string): number | null {
  return file === inMemory ? null : statSync(file).ino;
}

/** Rolls back, unless SQLite has already done so after a failure. */
function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // There is no transaction to roll back.
  }
}
