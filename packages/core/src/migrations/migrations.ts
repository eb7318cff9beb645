import { ServiceError } from '../errors/index.js';
import { runWithoutCaller } from '../security/index.js';
import { MigrationStatus } from '../system-events/index.js';
import { isUnderWay } from './item-records.js';
import { isBatchOf, newBatch } from './migration-batch.js';
import { buildIndexes, missingIndexes } from './background-indexes.js';
import type { MigrationDatabase, MigrationSession } from './migration-database.js';
import { MigrationEmission, type MigrationEventTarget } from './migration-emission.js';
import { hashed, requireValidItems, type HashedItem, type MigrationItem } from './migration-item.js';
import { MigrationFailedError } from './migration-failed-error.js';
import { migrationSettings, type MigrationOptions, type MigrationSettings } from './migration-options.js';
import type { MigrationRecord } from './migration-record.js';
import { begin } from './patience.js';
import { hasUnreached, orphansEnded } from './open-batches.js';
import { newlyUnchanged, planOf, type PlannedItem, type PlannedRewrite } from './plan.js';
import { isOfTable, requireRights, requireRightsToRollBack } from './required-rights.js';
import { rollBack } from './roll-back.js';
import { SessionLostError } from './session-lost-error.js';
import { carryOut, type BatchOutcome } from './start-batch.js';
import { SupersededError } from './superseded-error.js';
import { rewriteTable } from './table-rewrite.js';

/** The name of the session that migrates the schema. */
const schemaSession = 'schema';

/** The current state of a storage's migrations. */
export interface MigrationsState {
  /** Another instance migrates, and this one waits for it. */
  readonly isWaiting: boolean;
  /** Items that are being rewritten, here or by another instance. */
  readonly inBackground: readonly string[];
  readonly failed: readonly string[];
}

/** The migrations of one database: svc runs them when it opens the storage, and operators list them and roll them back. */
export class Migrations {
  readonly #database: MigrationDatabase;
  readonly #settings: MigrationSettings;
  readonly #items: MigrationItem[];
  readonly #emission: MigrationEmission;
  readonly #stopping = new AbortController();
  readonly #background = new Map<string, Promise<void>>();
  readonly #failed = new Set<string>();
  #hashed: Promise<readonly HashedItem[]> | undefined;
  #isWaiting = false;
  #onError: (error: unknown) => void = () => {};

  constructor(database: MigrationDatabase, infrastructure: readonly MigrationItem[], options?: MigrationOptions) {
    this.#database = database;
    this.#emission = new MigrationEmission(database);
    this.#settings = migrationSettings(options);
    this.#items = [...infrastructure];
  }

  /** Adds items in addition to those of the storage, such as the tables of perspectives. Call it before the storage is opened. */
  add(...items: readonly MigrationItem[]): void {
    if (items.length === 0) return;
    if (this.#hashed !== undefined) {
      throw new ServiceError(
        'SVC_SERVICE_STARTED',
        'Cannot add migrations: the storage is already open. Add them before it opens.',
      );
    }
    requireValidItems([...this.#items, ...items]);
    this.#items.push(...items);
  }

  /**
   * Migrates the schema. If it is up to date, this takes two queries; otherwise one instance migrates it and the others wait. Resolves once the
   * service can start; tables are rewritten in the background afterwards.
   */
  async run(): Promise<void> {
    const items = await this.#allItems();
    const plan = await planOf(items, await this.#database.records(), this.#database);
    const rights = await this.#database.rights();
    requireRights(plan, rights);
    const batches = await this.#database.batches();
    this.#failed.clear();
    if (batches.length > 0) this.#emission.pending();
    await this.#recordSkipped(rights === 'perspectives' ? plan.filter(isOfTable) : plan);
    if (!plan.every(({ action }) => action === 'skip') || !batches.every(({ isCompleted }) => isCompleted)) {
      let rewrites = await this.#runBatch(items);
      // Null: some items need a further batch, another program has completed items just before this one started, or another process has taken
      // over the session.
      while (rewrites === null) rewrites = await this.#runBatch(items);
      for (const planned of rewrites) this.#startRewrite(planned);
    }
    if (rights !== 'perspectives') await this.#startIndexes();
  }

  /** Returns the plan without changing anything. */
  async plan(): Promise<readonly PlannedItem[]> {
    return await planOf(await this.#allItems(), await this.#database.records(), this.#database);
  }

  /** Returns all records without changing anything. */
  async records(): Promise<readonly MigrationRecord[]> {
    return (await this.#database.records()) ?? [];
  }

  /** Restores the backup of a table. */
  async rollBack(key: string): Promise<MigrationRecord> {
    requireRightsToRollBack(key, await this.#database.rights());
    return await rollBack(key, this.#database, this.#settings, this.#stopping.signal);
  }

  get state(): MigrationsState {
    return { isWaiting: this.#isWaiting, inBackground: [...this.#background.keys()], failed: [...this.#failed] };
  }

  /** Sets the target of migration events. `onError` is called with errors in the background. */
  emitTo(target: MigrationEventTarget, onError: (error: unknown) => void): void {
    this.#onError = onError;
    this.#emission.emitTo(target);
  }

  /** Resolves once all events so far are emitted. */
  emitted(): Promise<void> {
    return this.#emission.emitted();
  }

  /** Resolves once no migration runs in the background. */
  async idle(): Promise<void> {
    while (this.#background.size > 0) await Promise.all(this.#background.values());
  }

  /** Stops migrations in the background after their current batch; they resume at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort(
      new ServiceError('SVC_SERVICE_STOPPING', 'The storage is closed. Migrations resume at the next start.'),
    );
    await this.idle();
  }

  /** Errors are only reported, because a service can start with a read-only database. */
  async #recordSkipped(plan: readonly PlannedItem[]): Promise<void> {
    const unchanged = newlyUnchanged(plan);
    if (unchanged.length > 0) await this.#database.recordSkipped(unchanged).catch(this.#onError);
  }

  /** Null: there is more to do. */
  async #runBatch(items: readonly HashedItem[]): Promise<readonly PlannedRewrite[] | null> {
    const { signal } = this.#stopping;
    const session = await begin(this.#database, schemaSession, signal, () => (this.#isWaiting = true)).finally(
      () => (this.#isWaiting = false),
    );
    this.#emission.pending();
    try {
      return await this.#runBatchIn(session, items);
    } catch (error) {
      if (error instanceof SupersededError || error instanceof SessionLostError) return null;
      if (error instanceof MigrationFailedError) {
        this.#failed.add(error.key);
        // This host fails to start and delivers no outbox. If the events cannot be appended now, the next start emits them.
        await this.#emission.emitted('stream').catch(() => {});
      }
      throw error;
    } finally {
      await session.close().catch(() => {});
    }
  }

  async #runBatchIn(
    session: MigrationSession,
    items: readonly HashedItem[],
  ): Promise<readonly PlannedRewrite[] | null> {
    // The previous holder of the session may have completed everything, or crashed.
    const plan = await planOf(items, await session.records(), this.#database);
    const open = (await session.batches()).filter(({ isCompleted }) => !isCompleted);
    const isOpen = (streamId: string | undefined): boolean => open.some((batch) => batch.streamId === streamId);
    const unfinished = open.find((batch) => hasUnreached(batch) && isBatchOf(batch, items));
    const isNew = unfinished === undefined && plan.some((planned) => isToDo(planned, isOpen));
    const batch = isNew ? newBatch(items) : unfinished;
    let outcome: BatchOutcome = { rewrites: plan.filter(isRewrite), failed: [], hasLeftovers: false };
    if (batch !== undefined) {
      if (isNew) await session.startBatch(batch);
      const parts = { database: this.#database, settings: this.#settings, signal: this.#stopping.signal };
      outcome = await carryOut(plan, batch, { ...parts, session, isOpen });
    }
    for (const key of outcome.failed) this.#failed.add(key);
    const records = await session.records();
    for (const other of open) {
      const step = other === batch ? null : orphansEnded(other, records);
      if (step !== null) await session.changeBatch({ streamId: other.streamId, step });
    }
    return outcome.hasLeftovers ? null : outcome.rewrites;
  }

  #startRewrite(planned: PlannedRewrite): void {
    const { key } = planned.item;
    const parts = {
      database: this.#database,
      settings: this.#settings,
      signal: this.#stopping.signal,
    };
    const working = runWithoutCaller(async () => {
      try {
        if ((await rewriteTable(planned, parts)) === MigrationStatus.Failed) this.#failed.add(key);
      } catch (error) {
        if (parts.signal.aborted) return;
        this.#failed.add(key);
        this.#onError(error);
      } finally {
        this.#emission.pending();
        await this.#emission.emitted().catch(this.#onError);
        this.#background.delete(key);
      }
    });
    this.#background.set(key, working);
  }

  /** Builds the indexes that are missing, in the background. */
  async #startIndexes(): Promise<void> {
    for (const item of this.#items) {
      if (item.kind !== 'sql' || item.indexes === undefined || this.#background.has(item.key)) continue;
      const { key, indexes } = item;
      if ((await missingIndexes(this.#database, indexes)).length === 0) continue;
      const building = runWithoutCaller(async () => {
        try {
          await buildIndexes(this.#database, key, indexes, this.#stopping.signal);
        } catch (error) {
          if (this.#stopping.signal.aborted) return;
          this.#failed.add(key);
          this.#onError(error);
        } finally {
          this.#background.delete(key);
        }
      });
      this.#background.set(key, building);
    }
  }

  #allItems(): Promise<readonly HashedItem[]> {
    this.#hashed ??= Promise.all(this.#items.map(hashed));
    return this.#hashed;
  }
}

function isRewrite(planned: PlannedItem): planned is PlannedRewrite {
  return planned.action === 'rewrite';
}

/** Whether an item needs a new batch: a rewrite that is in progress has one. */
function isToDo(planned: PlannedItem, isOpen: (streamId: string | undefined) => boolean): boolean {
  if (planned.action !== 'rewrite') return planned.action !== 'skip';
  return !isUnderWay(planned) || !isOpen(planned.record?.progress?.batch);
}
