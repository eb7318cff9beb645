import { newId, ServiceError, type Uuid } from '@svc/core';
import {
  GroupCommit,
  Migrations,
  migrationSettings,
  toDeadLetter,
  toIdempotent,
  unlessAborted,
  type CommitRecord,
  type DeadLetterCause,
  type DeadLetterRecord,
  type EventPlace,
  type Expiry,
  type IdempotentResult,
  type LogPlace,
  type MigratingStorage,
  type OutboxLane,
  type StorageClock,
  type StorageConnection,
  type StorageLeases,
  type StorageNotifications,
  type StorageSystemDelivery,
  type StoredOutgoing,
  type StoredRecord,
} from '@svc/core/storage';
import { commitBatchOver } from './commit-batch.js';
import { connect, type Connections } from './connections.js';
import { DirectFirst } from './direct-first.js';
import { forgetExpired } from './expired-records.js';
import { KnownEvents, remembering } from './known-events.js';
import { Listening } from './listening.js';
import { withLargeBodies, type BodyReaders } from './large-bodies.js';
import { PostgresAudit } from './postgres-audit.js';
import { PostgresArchive } from './postgres-archive.js';
import { PostgresMigrationDatabase } from './migrations/migration-database.js';
import { settingsOf, type PostgresOptions, type Settings } from './options.js';
import { Leases } from './leases.js';
import { openFailure } from './open-failure.js';
import { OutboxLanes } from './outbox-lanes.js';
import { PostgresBacklog } from './postgres-backlog.js';
import { PostgresHosts } from './postgres-hosts.js';
import { PostgresOperations } from './postgres-operations.js';
import { PostgresPerspectives } from './postgres-perspectives.js';
import { PostgresProcesses } from './postgres-processes.js';
import { PostgresReactions } from './postgres-reactions.js';
import { PostgresReplay } from './postgres-replay.js';
import { PostgresSchedule } from './postgres-schedule.js';
import { PostgresSeals } from './postgres-seals.js';
import { PostgresSubjectKeys } from './postgres-subject-keys.js';
import { PostgresSnapshots } from './postgres-snapshots.js';
import { findReadingStall, type ReadingStall } from './reading-stall.js';
import { ReactedRows } from './reacted-rows.js';
import { Reader, type Queryable } from './reader.js';
import { DatabaseRoles } from './roles/database-roles.js';
import { PostgresRoles } from './roles/postgres-roles.js';
import { toPlace, toRecord, toSample } from './rows.js';
import type { Row } from './row.js';
import { schema } from './schema.js';
import { requireSessions } from './sessions.js';
import { followRestoredEvents } from './transaction-ids.js';
import { recordsAt, streamRecords } from './stream-records.js';
import {
  clockStatement,
  countDeadLettersStatement,
  findEventStatement,
  findIdempotentStatement,
  findPlaceStatement,
  largeStreamBodies,
  lastPositionStatement,
  noId,
  placeAtStatement,
  positionOfStatement,
  readDeadLettersStatement,
  sampleEventsStatement,
  tenantOfStatement,
} from './storage-statements.js';

const eventsPerPage = 1_000;

/** Creates a storage over a PostgreSQL database. Any number of hosts can share the database. */
export function postgres(options: PostgresOptions): PostgresStorage {
  return new PostgresStorage(options);
}

/** Stores events, messages and models in a PostgreSQL database. Several hosts can share it. */
export class PostgresStorage implements MigratingStorage {
  readonly systemName = 'postgresql';
  readonly migrations: Migrations;
  readonly perspectives: PostgresPerspectives;
  readonly operations: PostgresOperations;
  readonly snapshots: PostgresSnapshots;
  readonly seals: PostgresSeals;
  readonly subjectKeys: PostgresSubjectKeys;
  readonly hosts: PostgresHosts;
  readonly backlog: PostgresBacklog;
  readonly reactions: PostgresReactions;
  readonly processes: PostgresProcesses;
  readonly archive: PostgresArchive;
  readonly audit: PostgresAudit;
  readonly schedule: PostgresSchedule;
  /** Separates the owner of the log from the role that the service runs as. */
  readonly roles: PostgresRoles;
  readonly connection: StorageConnection = {
    ping: async () => void (await this.#ask('svc-ping', 'SELECT 1')),
    sampleEvents: async () => (await this.#ask('svc-sample-events', sampleEventsStatement)).map(toSample),
    access: () => this.roles.access,
  };
  readonly clock: StorageClock = {
    read: async () => Number((await this.#ask('svc-clock', clockStatement))[0]!['now']),
  };
  readonly leases: StorageLeases = {
    hold: async (lane) => {
      await this.open();
      return await this.#leases.holdOften(lane);
    },
    release: (lane) => this.#leases.release(lane),
    readHeld: async (prefix) => {
      await this.open();
      return await this.#leases.read(prefix);
    },
    onReleased: (listener) => {
      this.#leases.onReleased(listener);
      this.#listen();
    },
  };
  readonly notifications: StorageNotifications = {
    onOutgoing: (listener) => {
      this.#listening.add(listener);
      this.#listen();
    },
    wakeHolders: (prefix) => {
      // The next poll makes up for a lost notification.
      if (!this.#closed) this.#leases.notifyHolders(prefix, () => {});
    },
  };
  readonly replay: PostgresReplay;
  readonly systemDelivery: StorageSystemDelivery = {
    // Transactions of several hosts would wait for each other at the end of the system stream.
    isAtOnce: false,
    deliver: async (limit) => {
      await this.open();
      return await this.#lanes.deliverSystemEvents(limit);
    },
  };
  readonly #settings: Settings;
  readonly #known: KnownEvents;
  readonly #connections: Connections;
  readonly #migrationDatabase: PostgresMigrationDatabase;
  readonly #reader: Reader;
  readonly #bodies: BodyReaders;
  readonly #group: GroupCommit;
  readonly #leases: Leases;
  readonly #lanes: OutboxLanes;
  readonly #listening: Listening;
  #opening: Promise<void> | undefined;
  #closed = false;

  constructor(options: PostgresOptions) {
    this.#settings = settingsOf(options);
    this.#known = new KnownEvents(this.#settings.transactions);
    this.#connections = connect(this.#settings, this.#known);
    const { readers, writers, replica, newMigrator, newListener } = this.#connections;
    const self = newId();
    const reacted = new ReactedRows();
    this.#reader = new Reader(readers);
    const roles = new DatabaseRoles(this.#reader);
    this.roles = new PostgresRoles(this.#reader, readers, roles);
    const { migrations, divideAfterMs } = this.#settings;
    const session = migrationSettings(migrations);
    this.#migrationDatabase = new PostgresMigrationDatabase(this.#reader, readers, newMigrator, session, roles);
    this.migrations = new Migrations(this.#migrationDatabase, schema, migrations);
    const open = (): Promise<void> => this.open();
    const listen = (): void => this.#listen();
    const models = { divideAfterMs, replica: replica && new Reader(replica), roles, want: listen };
    this.perspectives = new PostgresPerspectives(this.#reader, readers, open, () => this.#queryable, models);
    this.operations = new PostgresOperations(this.#reader, open, this.#settings);
    this.schedule = new PostgresSchedule(this.#reader, open, self, this.#settings);
    this.snapshots = new PostgresSnapshots(this.#reader, open);
    this.subjectKeys = new PostgresSubjectKeys(this.#reader, open);
    this.hosts = new PostgresHosts(this.#reader, open, self);
    this.backlog = new PostgresBacklog(this.#reader, open);
    this.processes = new PostgresProcesses(this.#reader, open);
    this.reactions = new PostgresReactions(this.#reader, open, reacted, this.#settings);
    const leasing = new DirectFirst(() => this.#listening.connection, this.#reader);
    this.#leases = new Leases(this.#settings.listenUrl === null ? this.#reader : leasing, self, this.#settings.leaseMs);
    this.archive = new PostgresArchive(this.#reader, writers, open, this.#settings);
    this.#bodies = { reader: this.#reader, archived: this.archive.bodies };
    this.audit = new PostgresAudit(this.#bodies, open);
    this.#lanes = new OutboxLanes(this.#bodies, this.#leases);
    this.replay = new PostgresReplay(this.#bodies, open, this.#settings, this.#known);
    this.seals = new PostgresSeals(this.#reader, readers, open, { replay: this.replay, settings: this.#settings });
    this.#listening = new Listening(newListener, self, this.#settings.pollMs, {
      offered: () => this.#leases.offered(),
      asked: () => this.operations.raise(),
      scheduled: (payload) => this.schedule.notified(payload),
      changed: (payload) => this.perspectives.changes.notified(payload),
    });
    const commitBatch = commitBatchOver(writers, reacted, this.#settings.resolveTimeoutMs);
    this.#group = new GroupCommit(remembering(commitBatch, this.#known), {
      transactions: this.#settings.transactions,
      largestBatch: 1_000,
      disjoint: true,
      eager: true,
    });
  }

  open(): Promise<void> {
    if (this.#closed) {
      return Promise.reject(new ServiceError('SVC_STORAGE_CLOSED', 'The storage is closed. Open a new one.'));
    }
    if (this.#known.failure !== null) return Promise.reject(this.#known.failure);
    this.#opening ??= this.#open().catch((error: unknown) => {
      // The next call retries.
      this.#opening = undefined;
      throw openFailure(error, this.#connections.servers);
    });
    return this.#opening;
  }

  async commit(record: CommitRecord, signal?: AbortSignal): Promise<void> {
    await (signal === undefined ? this.open() : unlessAborted(this.open(), signal));
    await this.#group.commit(record, signal);
    if (record.schedules !== undefined && record.schedules.added.length > 0) this.schedule.notifyOthers();
  }

  async *readStream(streamId: Uuid, fromPosition = 0): AsyncIterable<StoredRecord> {
    await this.open();
    yield* streamRecords(this.#bodies, streamId, fromPosition);
  }

  async *readPositions(streamId: Uuid, positions: readonly number[]): AsyncIterable<StoredRecord> {
    await this.open();
    yield* recordsAt(this.#bodies, streamId, positions);
  }

  async *readAll(afterSequence = -1): AsyncIterable<StoredRecord> {
    for await (const page of this.replay.readPages(afterSequence, eventsPerPage)) yield* page;
  }

  async readingStall(): Promise<ReadingStall | null> {
    await this.open();
    return await findReadingStall(this.#queryable);
  }

  async findEvent(eventId: Uuid): Promise<StoredRecord | null> {
    await this.open();
    const rows = await this.#reader.rows('svc-find-event', findEventStatement, [eventId]);
    const [row] = await withLargeBodies(this.#bodies, rows, largeStreamBodies);
    return row === undefined ? null : toRecord(row);
  }

  async findPlace(eventId: Uuid): Promise<EventPlace | null> {
    await this.open();
    const [row] = await this.#reader.rows('svc-find-place', findPlaceStatement, [eventId]);
    const place = toPlace(row);
    return place === null ? null : { ...place, tenant: row!['tenant']! };
  }

  async tenantOf(streamId: Uuid): Promise<string | null> {
    await this.open();
    const [row] = await this.#reader.rows('svc-tenant-of', tenantOfStatement, [streamId]);
    return row?.['tenant'] ?? null;
  }

  async placeAt(sequence: number): Promise<LogPlace> {
    await this.open();
    const [row] = await this.#reader.rows('svc-place-at', placeAtStatement, [sequence]);
    return toPlace(row) ?? { sequence };
  }

  async lastPosition(streamId: Uuid): Promise<number> {
    await this.open();
    const [row] = await this.#reader.rows('svc-last-position', lastPositionStatement, [streamId]);
    return Number(row?.['position'] ?? -1);
  }

  async positionOf(streamId: Uuid, eventId: Uuid): Promise<number> {
    await this.open();
    const [row] = await this.#reader.rows('svc-position-of', positionOfStatement, [streamId, eventId]);
    return Number(row?.['position'] ?? -1);
  }

  async readOutgoing(lane: OutboxLane, limit: number, after?: Uuid): Promise<readonly StoredOutgoing[]> {
    await this.open();
    return await this.#lanes.read(lane, limit, after);
  }

  async findIdempotent(id: string, maxAgeMs: number): Promise<IdempotentResult | null> {
    await this.open();
    const [row] = await this.#reader.rows('svc-find-idempotent', findIdempotentStatement, [id, maxAgeMs]);
    return row === undefined ? null : toIdempotent(row);
  }

  async readDeadLetters(after: Uuid | null, limit: number): Promise<readonly DeadLetterRecord[]> {
    await this.open();
    const rows = await this.#reader.rows('svc-read-dead-letters', readDeadLettersStatement, [after ?? noId, limit]);
    return rows.map(toDeadLetter);
  }

  async findDeadLetter(id: Uuid): Promise<DeadLetterRecord | null> {
    await this.open();
    const sql = 'SELECT record FROM svc_dead_letters WHERE id = $1';
    const [row] = await this.#reader.rows('svc-find-dead-letter', sql, [id]);
    return row === undefined ? null : toDeadLetter(row);
  }

  async countDeadLetters(causes: readonly DeadLetterCause[], most: number): Promise<number> {
    await this.open();
    const [row] = await this.#reader.rows('svc-count-dead-letters', countDeadLettersStatement, [causes, most]);
    return Number(row!['letters']);
  }

  async forgetExpired(expiry: Expiry, limit: number): Promise<number> {
    await this.open();
    if (!(await this.#leases.hold('forgetting'))) return 0;
    await this.#leases.removeExpired();
    return await forgetExpired(this.#reader, expiry, limit);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#listening.stop();
    this.schedule.stop();
    await this.migrations.stop();
    const isOpen = await this.#opening?.then(
      () => true,
      () => false,
    );
    await this.#group.idle();
    await this.#connections.sockets.endedBy(this.#endConnections(isOpen === true), this.#settings.connectTimeoutMs);
  }

  async #endConnections(isOpen: boolean): Promise<void> {
    const { writers, readers, replica } = this.#connections;
    const ending = [replica?.end(), this.#listening.close(), this.#migrationDatabase.close(), writers.end()];
    // If it fails, the leases expire and another host takes over a little later.
    if (isOpen) await this.#leases.releaseAll().catch(() => {});
    await Promise.all([...ending, readers.end()]);
  }

  /** From now on there is a listener. The storage may be open already, without one. */
  #listen(): void {
    this.#listening.want();
    this.#opening = this.#opening?.then(() => this.#listening.start());
    this.#opening?.catch(() => {});
  }

  async #ask(name: string, sql: string): Promise<readonly Row[]> {
    await this.open();
    // A pooler may be unavailable alone, so it is included.
    return await (this.#settings.listenUrl === null ? this.#queryable : this.#reader).rows(name, sql);
  }

  get #queryable(): Queryable {
    return this.#listening.connection ?? this.#reader;
  }

  async #open(): Promise<void> {
    await requireSessions(this.#connections, this.#settings);
    await this.migrations.run();
    const rights = await this.roles.renew();
    await followRestoredEvents(this.#reader, this.#connections.readers, rights);
    await this.roles.check(this.#settings.separateRoles);
    await this.#listening.start();
  }
}
