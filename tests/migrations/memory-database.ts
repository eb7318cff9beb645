/** A database in memory that speaks the interface of migrations, so that a test decides which call fails or stops, and when. */
import { MigrationFailureReason } from '@svc/core';
import { commitRecord } from '@svc/core/testing';
import { onTestFinished } from 'vitest';
import {
  changedBatch,
  emittedBatch,
  Migrations,
  progressAfter,
  StorageUnavailableError,
  SupersededError,
  type BackgroundIndex,
  type BatchChange,
  type CommitRecord,
  type MigrationBatch,
  type MigrationDatabase,
  type MigrationItem,
  type MigrationRecord,
  type MigrationRights,
  type MigrationSession,
  type TableDefinition,
  type UnchangedItem,
} from '@svc/core/storage';

/** The process has ended: a call in it never returns. */
export const ended = new Promise<never>(() => {});

export const gone = new StorageUnavailableError('none', new Error('no connection'));

export class MemoryDatabase implements MigrationDatabase {
  /** Null: the table of records does not exist. */
  stored: Map<string, MigrationRecord> | null = null;
  open: MigrationBatch[] = [];
  readonly held = new Set<string>();
  role: MigrationRights = 'everything';
  /** What was run, such as `apply infrastructure/trial`, in order. Reads are not recorded. */
  readonly calls: string[] = [];
  /** The commits with events. */
  readonly committed: CommitRecord[] = [];
  missing: readonly BackgroundIndex[] = [];
  /** Called with each of `calls`. It can throw, and the call waits for what it returns. */
  before: (call: string) => void | Promise<void> = () => {};

  rights = (): Promise<MigrationRights> => Promise.resolve(this.role);
  records = (): Promise<readonly MigrationRecord[] | null> =>
    Promise.resolve(this.stored === null ? null : [...this.stored.values()]);
  batches = (): Promise<readonly MigrationBatch[]> => Promise.resolve([...this.open]);
  existing = (): Promise<ReadonlyMap<string, readonly string[]>> => Promise.resolve(new Map());
  missingIndexes = (indexes: readonly BackgroundIndex[]): Promise<readonly BackgroundIndex[]> =>
    Promise.resolve(indexes.filter((index) => this.missing.includes(index)));
  tableSql = (_old: TableDefinition | null, { table }: TableDefinition): readonly string[] => [`CREATE ${table}`];
  classify = (): MigrationFailureReason => MigrationFailureReason.SqlError;
  isLocked = (): boolean => false;
  isGone = (error: unknown): boolean => error instanceof StorageUnavailableError;

  async recordSkipped(items: readonly UnchangedItem[]): Promise<void> {
    await this.#called(`recordSkipped ${items.map(({ key }) => key).join(' ')}`);
  }

  async emit(batch: MigrationBatch, record: CommitRecord | null): Promise<boolean> {
    await this.#called('emit');
    const stored = this.open.find(({ streamId }) => streamId === batch.streamId);
    if (stored?.version !== batch.version) return false;
    const next = emittedBatch(stored);
    this.open = this.open.flatMap((known) => (known === stored ? (next ?? []) : [known]));
    if (record !== null) this.committed.push(record);
    return true;
  }

  async begin(name: string): Promise<MigrationSession | null> {
    await Promise.resolve();
    if (this.held.has(name)) return null;
    await this.#called(`begin ${name}`);
    this.held.add(name);
    this.stored ??= new Map();
    return this.#session(name);
  }

  #session(name: string): MigrationSession {
    return {
      records: async () => (await this.records())!,
      batches: this.batches,
      startBatch: async (batch) => {
        await this.#called('startBatch');
        this.open.push(batch);
      },
      changeBatch: async (change) => {
        await this.#called('changeBatch');
        this.#change(change);
      },
      write: async (record, expectedHash, change) => {
        await this.#called(`write ${record.key}`);
        if ((this.stored!.get(record.key)?.hash ?? null) !== expectedHash) throw new SupersededError(record.key);
        this.#store(record, change);
      },
      apply: async (sql, record, change) => {
        await this.#called(`apply ${record.key} (${sql.length})`);
        this.#store(record, change);
      },
      buildIndex: async (index) => await this.#called(`buildIndex ${index.name}`),
      prepareNext: async ({ key }) => {
        await this.#called(`prepareNext ${key}`);
        return 0;
      },
      hasNext: () => Promise.resolve(true),
      storeProgress: async ({ key }, progress) => {
        await this.#called(`storeProgress ${key}`);
        this.stored!.set(key, { ...this.stored!.get(key)!, progress });
      },
      copyBatch: async ({ key }, progress, limit) => {
        await this.#called(`copyBatch ${key}`);
        return progressAfter(progress, { rows: 0, key: null, revision: 0 }, limit);
      },
      swap: async ({ key }, _progress, { record, change }) => {
        await this.#called(`swap ${key}`);
        this.#store(record, change);
        return true;
      },
      discardNext: async ({ key }, { record, change }) => {
        await this.#called(`discardNext ${key}`);
        this.#store(record, change);
      },
      restore: async (_current, _backup, record) => {
        await this.#called(`restore ${record.key}`);
        this.#store(record);
      },
      close: async () => {
        this.held.delete(name);
        await this.#called(`close ${name}`);
      },
    };
  }

  #store(record: MigrationRecord, change?: BatchChange): void {
    this.stored!.set(record.key, record);
    if (change !== undefined) this.#change(change);
  }

  #change({ streamId, step }: BatchChange): void {
    this.open = this.open.map((batch) => (batch.streamId === streamId ? changedBatch(batch, step) : batch));
  }

  async #called(call: string): Promise<void> {
    this.calls.push(call);
    await this.before(call);
  }
}

/** A host that migrates the database. It is stopped when the test has ended. */
export interface Host {
  readonly migrations: Migrations;
  /** The emitted events, such as `ItemStarted perspective/Orders`, in order. */
  readonly emitted: string[];
  /** How each batch of events was emitted. */
  readonly ways: string[];
  /** The errors that it reported. */
  readonly reported: unknown[];
  /** Set by `endProcess`. */
  hasEnded: boolean;
}

export function hostOn(database: MemoryDatabase, ...items: readonly MigrationItem[]): Host {
  const migrations = new Migrations(database, items);
  const [emitted, ways, reported]: [string[], string[], unknown[]] = [[], [], []];
  const target = {
    recordOf(events: readonly { readonly event: object }[], way: string) {
      ways.push(way);
      for (const { event } of events) {
        const { migrationKey } = event as { migrationKey?: string };
        emitted.push([event.constructor.name.replace('Migration', ''), migrationKey].filter(Boolean).join(' '));
      }
      return commitRecord({});
    },
    queued: () => {},
  };
  migrations.emitTo(target, (error) => reported.push(error));
  const host = { migrations, emitted, ways, reported, hasEnded: false };
  onTestFinished(async () => {
    // Calls that a test holds back must return before the host can stop.
    if (!host.hasEnded) await migrations.stop();
  });
  return host;
}

/** Ends the process of a host: its calls never return, and its locks are free. */
export function endProcess(database: MemoryDatabase, host: Host): void {
  host.hasEnded = true;
  database.before = () => {};
  database.held.clear();
}
