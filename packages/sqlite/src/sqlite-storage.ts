import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceError, type Uuid } from '@svc/core';
import {
  GroupCommit,
  Migrations,
  migrationSettings,
  OutgoingSignal,
  toDeadLetter,
  toIdempotent,
  toOutgoing,
  unlessAborted,
  type CommitOutcome,
  type CommitRecord,
  type DeadLetterCause,
  type DeadLetterRecord,
  type Expiry,
  type IdempotentResult,
  type EventPlace,
  type LogPlace,
  type MigratingStorage,
  type OutboxLane,
  type StorageConnection,
  type StorageLeases,
  type StorageNotifications,
  type StorageSystemDelivery,
  type StoredOutgoing,
  type StoredRecord,
} from '@svc/core/storage';
import { Connection } from './connection.js';
import type { Row, Statement } from './engine.js';
import { outcomeOf } from './commit-record.js';
import { forgetExpired } from './expired-records.js';
import { withArchivedBodies, withLargeBodies } from './large-bodies.js';
import { Leases } from './leases.js';
import { SqliteMigrationDatabase } from './migrations/migration-database.js';
import { highest, Numbers } from './numbers.js';
import { OtherWriters } from './other-writers.js';
import { readWaiting } from './outbox.js';
import { deliverSystemEvents } from './system-events.js';
import { defaultFile, defaultLeaseMs, defaultLockTimeoutMs, requireValid, type SqliteOptions } from './options.js';
import { eventColumn, missingColumns, samplesIn, toRecord } from './rows.js';
import { schema } from './schema.js';
import { SqliteAudit } from './sqlite-audit.js';
import { SqliteArchive } from './sqlite-archive.js';
import { SqliteBacklog } from './sqlite-backlog.js';
import { SqliteHosts } from './sqlite-hosts.js';
import { SqliteOperations } from './sqlite-operations.js';
import { SqlitePerspectives } from './sqlite-perspectives.js';
import { SqliteProcesses } from './sqlite-processes.js';
import { SqliteReactions } from './sqlite-reactions.js';
import { SqliteReplay } from './sqlite-replay.js';
import { SqliteSchedule } from './sqlite-schedule.js';
import { SqliteSubjectKeys } from './sqlite-subject-keys.js';
import { SqliteSeals } from './sqlite-seals.js';
import { SqliteSnapshots } from './sqlite-snapshots.js';

/** How many rows are read before other work of the process gets its turn. */
const pageSize = 200;

/** Creates a storage over a local database file. Several processes can open the same file at the same time. */
export function sqlite(options: SqliteOptions = {}): SqliteStorage {
  return new SqliteStorage(options);
}

/** Stores events, messages and models in one SQLite file. Several processes of a machine can share it. */
export class SqliteStorage implements MigratingStorage {
  readonly systemName = 'sqlite';
  readonly migrations: Migrations;
  readonly perspectives = new SqlitePerspectives(() => this.#open());
  readonly reactions = new SqliteReactions(() => this.#open());
  readonly processes = new SqliteProcesses(() => this.#open());
  readonly operations: SqliteOperations;
  readonly snapshots = new SqliteSnapshots(() => this.#open());
  readonly subjectKeys = new SqliteSubjectKeys(() => this.#open());
  readonly backlog = new SqliteBacklog(() => this.#open());
  readonly seals = new SqliteSeals(
    () => this.#open(),
    (afterSequence) => this.readAll(afterSequence),
  );
  readonly replay: SqliteReplay;
  readonly archive: SqliteArchive;
  readonly audit: SqliteAudit;
  readonly schedule: SqliteSchedule;
  readonly hosts: SqliteHosts;
  readonly connection: StorageConnection = {
    ping: async () => await (await this.#open()).ping(),
    sampleEvents: async () => samplesIn((await this.#get((sql) => sql.sampleEvents))!),
  };
  readonly leases: StorageLeases = {
    hold: async (lane) => {
      await this.#open();
      return await this.#leases.hold(lane);
    },
    release: (lane) => this.#leases.release(lane),
    readHeld: async (prefix) => {
      await this.#open();
      return await this.#leases.read(prefix);
    },
    // A released lease is a change of the file.
    onReleased: (listener) => void this.#changed.push(listener),
  };
  readonly notifications: StorageNotifications = {
    onOutgoing: (listener) => this.#outgoing.add(listener),
    // Sends nothing: the process that holds the lane detects the change of the file.
    wakeHolders: () => {},
  };
  readonly systemDelivery: StorageSystemDelivery = {
    isAtOnce: true,
    deliver: async (limit) => {
      const connection = await this.#open();
      if (!(await this.#leases.hold('system'))) return new Map();
      return await connection.transaction(() => deliverSystemEvents(connection.sql, limit));
    },
  };
  readonly #options: SqliteOptions;
  readonly #group: GroupCommit;
  readonly #outgoing: OutgoingSignal;
  readonly #leases: Leases;
  readonly #changed: (() => void)[] = [];
  readonly #others = new OtherWriters(() => {
    for (const listener of this.#changed) listener();
    this.perspectives.changes.lookAgain();
    this.#outgoing.raise();
  });
  /** The open file, before migrations have run. */
  #file: Promise<Connection> | undefined;
  /** The open file, after migrations have run. */
  #connection: Promise<Connection> | undefined;
  #closed = false;

  constructor(options: SqliteOptions) {
    requireValid(options);
    this.#options = options;
    this.operations = new SqliteOperations(() => this.#open(), options);
    this.schedule = new SqliteSchedule(() => this.#open(), options);
    this.archive = new SqliteArchive(() => this.#open(), options);
    this.audit = new SqliteAudit(() => this.#open(), this.archive.bodies);
    this.replay = new SqliteReplay(() => this.#open(), this.archive.bodies);
    this.#outgoing = new OutgoingSignal(options.pollMs);
    this.#leases = new Leases(() => this.#opened(), options.leaseMs ?? defaultLeaseMs);
    this.hosts = new SqliteHosts(() => this.#open(), this.#leases.holder);
    const { migrations } = options;
    const database = new SqliteMigrationDatabase(() => this.#openFile(), migrationSettings(migrations));
    this.migrations = new Migrations(database, schema, migrations);
    // There is one writer, and each record sees the previous ones.
    this.#group = new GroupCommit((records) => this.#commitBatch(records), {
      transactions: 1,
      largestBatch: 1_000,
      disjoint: false,
      eager: false,
    });
  }

  async open(): Promise<void> {
    await this.#open();
  }

  async commit(record: CommitRecord, signal?: AbortSignal): Promise<void> {
    this.#requireOpen();
    // A commit without a signal waits in its batch instead.
    if (signal !== undefined) await unlessAborted(this.#opened(), signal);
    await this.#group.commit(record, signal);
  }

  async *readStream(streamId: Uuid, fromPosition = 0): AsyncIterable<StoredRecord> {
    const { sql } = await this.#open();
    const next = (after: StoredRecord | undefined): Row[] =>
      sql.readStream.all(streamId, after === undefined ? fromPosition : after.position + 1, pageSize);
    yield* this.#pages(next);
  }

  async *readPositions(streamId: Uuid, positions: readonly number[]): AsyncIterable<StoredRecord> {
    const { sql } = await this.#open();
    for (let i = 0; i < positions.length; i += pageSize) {
      const wanted = positions.slice(i, i + pageSize);
      const from = (after: StoredRecord | undefined): number[] =>
        after === undefined ? wanted : wanted.filter((position) => position > after.position);
      yield* this.#pages((after) => sql.readPositions.all(streamId, JSON.stringify(from(after))));
    }
  }

  async *readAll(afterSequence = -1): AsyncIterable<StoredRecord> {
    const { sql } = await this.#open();
    yield* this.#pages((after) => sql.readAll.all(after?.sequence ?? afterSequence, pageSize));
  }

  /** Readers of a file do not wait for writers. */
  readingStall(): Promise<null> {
    return Promise.resolve(null);
  }

  async findEvent(eventId: Uuid): Promise<StoredRecord | null> {
    const { sql } = await this.#open();
    const once = this.#pages((after) => (after === undefined ? sql.findEvent.all(eventId) : []));
    const { value, done } = await once[Symbol.asyncIterator]().next();
    return done === true ? null : value;
  }

  async findPlace(eventId: Uuid): Promise<EventPlace | null> {
    const row = await this.#get((sql) => sql.placeOfEvent, eventId);
    return row === undefined ? null : { sequence: row['sequence'] as number, tenant: row['tenant'] as string };
  }

  /** There is one writer, so the log is in the order of sequence numbers. */
  placeAt(sequence: number): Promise<LogPlace> {
    return Promise.resolve({ sequence });
  }

  async tenantOf(streamId: Uuid): Promise<string | null> {
    const row = await this.#get((sql) => sql.tenantOfStream, streamId);
    return row === undefined ? null : (row['tenant'] as string);
  }

  async lastPosition(streamId: Uuid): Promise<number> {
    return highest(await this.#get((sql) => sql.lastPosition, streamId));
  }

  async positionOf(streamId: Uuid, eventId: Uuid): Promise<number> {
    const row = await this.#get((sql) => sql.streamOfEvent, eventId);
    return row?.['stream_id'] === streamId ? (row['position'] as number) : -1;
  }

  async readOutgoing(lane: OutboxLane, limit: number, after?: Uuid): Promise<readonly StoredOutgoing[]> {
    const connection = await this.#open();
    if (!(await this.#leases.hold(lane))) return [];
    const stored = await connection.unlocked(() => readWaiting(connection.sql, lane, limit, after));
    const rows = await withArchivedBodies(stored, this.archive.bodies);
    return rows.map((row) => toOutgoing(row, lane, toRecord));
  }

  async findIdempotent(id: string, maxAgeMs: number): Promise<IdempotentResult | null> {
    const connection = await this.#open();
    return await connection.unlocked(() => {
      const row = connection.sql.findIdempotent.get(id);
      if (row === undefined) return null;
      const keptAt = row['kept_at'] as number;
      if (Date.now() - keptAt < maxAgeMs) return toIdempotent(row);
      connection.sql.forgetIdempotent.run(id, keptAt);
      return null;
    });
  }

  async readDeadLetters(after: Uuid | null, limit: number): Promise<readonly DeadLetterRecord[]> {
    const connection = await this.#open();
    const rows = await connection.unlocked(() => connection.sql.readDeadLetters.all(after ?? '', limit));
    return rows.map(toDeadLetter);
  }

  async findDeadLetter(id: Uuid): Promise<DeadLetterRecord | null> {
    const row = await this.#get((sql) => sql.findDeadLetter, id);
    return row === undefined ? null : toDeadLetter(row);
  }

  async countDeadLetters(causes: readonly DeadLetterCause[], most: number): Promise<number> {
    const row = await this.#get((sql) => sql.countDeadLetters, JSON.stringify(causes), most);
    return row!['letters'] as number;
  }

  async forgetExpired(expiry: Expiry, limit: number): Promise<number> {
    const connection = await this.#open();
    if (!(await this.#leases.hold('forgetting'))) return 0;
    return await connection.unlocked(() => forgetExpired(connection.sql, expiry, limit));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#outgoing.stop();
    this.#others.stop();
    // Pending records wait until the file is open, which waits for migrations of other processes.
    await this.migrations.stop();
    await this.#group.idle();
    const isOpen = await this.#connection?.then(
      () => true,
      () => false,
    );
    // If it fails, the leases expire and another process takes over a little later.
    if (isOpen === true) await this.#leases.releaseAll().catch(() => {});
    const connection = await this.#file?.catch(() => undefined);
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
    // Retries one by one, so that a record that cannot be committed fails alone.
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
    const { outcomes, numbers } = await connection.transaction(() => {
      const options = { careful, numbers: new Numbers(sql, records) };
      const committed = records.map((record) => outcomeOf(sql, record, options));
      return { outcomes: committed, numbers: options.numbers };
    });
    if (numbers.systemEventsQueued) this.#outgoing.raise();
    return outcomes;
  }

  async *#pages(next: (after: StoredRecord | undefined) => Row[]): AsyncIterable<StoredRecord> {
    const connection = await this.#open();
    let last: StoredRecord | undefined;
    for (;;) {
      const { found, stored } = await connection.unlocked(() => {
        const rows = next(last);
        return {
          found: rows.length,
          stored: withLargeBodies(rows, eventColumn, (row) => missingColumns(connection.sql, row)),
        };
      });
      const page = await withArchivedBodies(stored, this.archive.bodies);
      for (const row of page) yield (last = toRecord(row));
      if (page.length === found && found < pageSize) return;
      await nextTurn();
      this.#requireOpen();
    }
  }

  async #get(
    statement: (sql: Connection['sql']) => Statement,
    ...values: (string | number)[]
  ): Promise<Row | undefined> {
    const connection = await this.#open();
    return await connection.unlocked(() => statement(connection.sql).get(...values));
  }

  async #open(): Promise<Connection> {
    this.#requireOpen();
    return await this.#opened();
  }

  #opened(): Promise<Connection> {
    if (this.#connection === undefined) {
      this.#connection = this.#migrated();
      this.#connection.then(
        (connection) => !this.#closed && this.#begin(connection),
        () => (this.#connection = undefined),
      );
    }
    return this.#connection;
  }

  /** Starts to watch for changes by other processes. */
  #begin(connection: Connection): void {
    this.#outgoing.start();
    this.#others.watch(connection);
  }

  async #migrated(): Promise<Connection> {
    const connection = await this.#openFile();
    await this.migrations.run();
    return connection;
  }

  #openFile(): Promise<Connection> {
    if (this.#file === undefined) {
      const { file = defaultFile, lockTimeoutMs = defaultLockTimeoutMs } = this.#options;
      this.#file = Connection.open(file, lockTimeoutMs);
      this.#file.catch(() => (this.#file = undefined));
    }
    return this.#file;
  }

  #requireOpen(): void {
    if (this.#closed) throw new ServiceError('SVC_STORAGE_CLOSED', 'The storage is closed. Open a new one.');
  }
}
