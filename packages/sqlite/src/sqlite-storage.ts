import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  GroupCommit,
  OutgoingSignal,
  ServiceError,
  type CommitOutcome,
  type CommitRecord,
  type OutboxLane,
  type Storage,
  type StoredOutgoing,
  type StoredRecord,
  type Uuid,
} from '@svc/core';
import { Connection } from './connection.js';
import type { Row, Statement } from './engine.js';
import { keepRecord, lastPosition } from './keep-record.js';
import { Numbers } from './numbers.js';
import { defaultFile, defaultLockTimeoutMs, type SqliteOptions } from './options.js';
import { toOutgoing, toRecord } from './rows.js';
import { SqlitePerspectives } from './sqlite-perspectives.js';

/** Rows that are read without letting other work in between. */
const pageSize = 200;

/** Keeps everything in a database file of this machine. Other processes may open the same file meanwhile. */
export function sqlite(options: SqliteOptions = {}): SqliteStorage {
  return new SqliteStorage(options);
}

export class SqliteStorage implements Storage {
  readonly perspectives = new SqlitePerspectives(() => this.#open());
  readonly #options: SqliteOptions;
  readonly #group: GroupCommit;
  readonly #outgoing: OutgoingSignal;
  #connection: Promise<Connection> | undefined;
  #closed = false;

  constructor(options: SqliteOptions) {
    this.#options = options;
    this.#outgoing = new OutgoingSignal(options.pollMs);
    // There is one writer, and each record sees those before it.
    this.#group = new GroupCommit((records) => this.#commitBatch(records), {
      transactions: 1,
      largestBatch: 1_000,
      disjoint: false,
    });
  }

  async open(): Promise<void> {
    await this.#open();
  }

  async commit(record: CommitRecord): Promise<void> {
    this.#requireOpen();
    await this.#group.commit(record);
  }

  async *readStream(streamId: Uuid, fromPosition = 0): AsyncIterable<StoredRecord> {
    const { sql } = await this.#open();
    const next = (after: StoredRecord | undefined): Row[] =>
      sql.readStream.all(streamId, after === undefined ? fromPosition : after.position + 1, pageSize);
    yield* this.#pages(next);
  }

  async *readAll(afterSequence = -1): AsyncIterable<StoredRecord> {
    const { sql } = await this.#open();
    yield* this.#pages((after) => sql.readAll.all(after?.sequence ?? afterSequence, pageSize));
  }

  async lastPosition(streamId: Uuid): Promise<number> {
    const connection = await this.#open();
    return await connection.unlocked(() => lastPosition(connection.sql, streamId));
  }

  async positionOf(streamId: Uuid, eventId: Uuid): Promise<number> {
    const row = await this.#get((sql) => sql.streamOfEvent, eventId);
    return row?.['stream_id'] === streamId ? (row['position'] as number) : -1;
  }

  async readOutgoing(lane: OutboxLane, limit: number): Promise<readonly StoredOutgoing[]> {
    const connection = await this.#open();
    const rows = await connection.unlocked(() => connection.sql.readOutgoing.all(lane, limit));
    return rows.map((row) => toOutgoing(row, lane));
  }

  onOutgoing(listener: () => void): void {
    this.#outgoing.add(listener);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#outgoing.stop();
    await this.#group.idle();
    const connection = await this.#connection?.catch(() => undefined);
    connection?.close();
  }

  async #commitBatch(records: readonly CommitRecord[]): Promise<readonly CommitOutcome[]> {
    for (const careful of [false, true]) {
      try {
        return await this.#tryBatch(records, careful);
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        if (careful && records.length === 1) throw error;
      }
    }
    // One of them cannot be kept at all; the others are not to suffer for it.
    const outcomes: CommitOutcome[] = [];
    for (const record of records) {
      const [outcome = null] = await this.#commitBatch([record]).catch((error: unknown) => [error as Error]);
      outcomes.push(outcome);
    }
    return outcomes;
  }

  async #tryBatch(records: readonly CommitRecord[], careful: boolean): Promise<readonly CommitOutcome[]> {
    const connection = await this.#opened();
    const { sql } = connection;
    return await connection.transaction(() => {
      const options = { careful, numbers: new Numbers(sql) };
      return records.map((record) => outcomeOf(() => keepRecord(sql, record, options)));
    });
  }

  async *#pages(next: (after: StoredRecord | undefined) => Row[]): AsyncIterable<StoredRecord> {
    const connection = await this.#open();
    let last: StoredRecord | undefined;
    for (;;) {
      const rows = await connection.unlocked(() => next(last));
      for (const row of rows) yield (last = toRecord(row));
      if (rows.length < pageSize) return;
      await nextTurn();
      this.#requireOpen();
    }
  }

  async #get(statement: (sql: Connection['sql']) => Statement, ...values: string[]): Promise<Row | undefined> {
    const connection = await this.#open();
    return await connection.unlocked(() => statement(connection.sql).get(...values));
  }

  async #open(): Promise<Connection> {
    this.#requireOpen();
    return await this.#opened();
  }

  #opened(): Promise<Connection> {
    if (this.#connection === undefined) {
      const { file = defaultFile, lockTimeoutMs = defaultLockTimeoutMs } = this.#options;
      this.#connection = Connection.open(file, lockTimeoutMs);
      this.#connection.then(
        () => !this.#closed && this.#outgoing.start(),
        () => (this.#connection = undefined),
      );
    }
    return this.#connection;
  }

  #requireOpen(): void {
    if (this.#closed) throw new ServiceError('SVC_STORAGE_CLOSED', 'The storage is closed. Open a new one.');
  }
}

/** What a record is refused for is its own affair; anything else ends the transaction. */
function outcomeOf(keep: () => void): CommitOutcome {
  try {
    keep();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}
