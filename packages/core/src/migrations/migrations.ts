import { ServiceError } from '../errors/index.js';
import { runWithoutCaller } from '../security/index.js';
import { MigrationStatus } from '../system-events/index.js';
import { isUnderWay } from './item-records.js';
import { isBatchOf, newBatch } from './migration-batch.js';
import type { MigrationDatabase, MigrationSession } from './migration-database.js';
import { MigrationEmission, type MigrationEventTarget } from './migration-emission.js';
import { hashed, requireValidItems, type HashedItem, type MigrationItem } from './migration-item.js';
import { MigrationFailedError } from './migration-failed-error.js';
import { migrationSettings, type MigrationOptions, type MigrationSettings } from './migration-options.js';
import type { MigrationRecord } from './migration-record.js';
import { begin } from './patience.js';
import { hasUnreached, orphansEnded } from './open-batches.js';
import { newlyUnchanged, planOf, type PlannedItem, type PlannedRewrite } from './plan.js';
import { rollBack } from './roll-back.js';
import { carryOut, type BatchOutcome } from './start-batch.js';
import { SupersededError } from './superseded-error.js';
import { rewriteTable } from './table-rewrite.js';

/** The name of the session in which the schema is brought up to date. */
const schemaSession = 'schema';

/** How the migrations of a storage are at the moment. */
export interface MigrationsState {
  /** Another instance migrates, and this one waits for it. */
  readonly isWaiting: boolean;
  /** Items that are being rewritten, here or by another instance. */
  readonly inBackground: readonly string[];
  readonly failed: readonly string[];
}

/** The migrations of one database: brought up to date when it is opened, rewritten in the background, looked at, rolled back. */
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

  /** Adds items that are not the storage's own, such as the tables of perspectives. Before it is opened. */
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
   * Brings the schema up to date. When it is, that is two queries. When not, one instance does it and the others wait. Resolves once what is
   * needed is there; tables are rewritten in the background from then on.
   */
  async run(): Promise<void> {
    const items = await this.#allItems();
    const plan = await planOf(items, await this.#database.records(), this.#database);
    const batches = await this.#database.batches();
    this.#failed.clear();
    if (batches.length > 0) this.#emission.pending();
    await this.#recordSkipped(plan);
    if (plan.every(({ action }) => action === 'skip') && batches.every(({ isCompleted }) => isCompleted)) return;
    let rewrites = await this.#runBatch(items);
    // Something is left that belongs to a further batch, or another program has ended something while this one was about to begin.
    while (rewrites === null) rewrites = await this.#runBatch(items);
    for (const planned of rewrites) this.#startRewrite(planned);
  }

  /** What there would be to do. Changes nothing. */
  async plan(): Promise<readonly PlannedItem[]> {
    return await planOf(await this.#allItems(), await this.#database.records(), this.#database);
  }

  /** Everything that is recorded. Changes nothing. */
  async records(): Promise<readonly MigrationRecord[]> {
    return (await this.#database.records()) ?? [];
  }

  /** Puts the backup of a table in its place again. */
  rollBack(key: string): Promise<MigrationRecord> {
    return rollBack(key, this.#database, this.#settings, this.#stopping.signal);
  }

  get state(): MigrationsState {
    return { isWaiting: this.#isWaiting, inBackground: [...this.#background.keys()], failed: [...this.#failed] };
  }

  /** Where migration events are emitted from now on. `onError` hears of what fails in the background. */
  emitTo(target: MigrationEventTarget, onError: (error: unknown) => void): void {
    this.#onError = onError;
    this.#emission.emitTo(target);
  }

  /** Resolves once everything so far is emitted. */
  emitted(): Promise<void> {
    return this.#emission.emitted();
  }

  /** Resolves once nothing is done in the background any more. */
  async idle(): Promise<void> {
    while (this.#background.size > 0) await Promise.all(this.#background.values());
  }

  /** Ends what is done in the background after its current batch; it goes on at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort(
      new ServiceError('SVC_SERVICE_STOPPING', 'The storage is closed. Migrations resume at the next start.'),
    );
    await this.idle();
  }

  /** A database that only lets itself be read serves all the same. */
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
      if (error instanceof SupersededError) return null;
      if (error instanceof MigrationFailedError) {
        this.#failed.add(error.key);
        // This host will not come to deliver it. Where it cannot be stored now, the next start emits it.
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
    // The previous holder of the session may have done everything, or was killed in the middle of it.
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

  #allItems(): Promise<readonly HashedItem[]> {
    this.#hashed ??= Promise.all(this.#items.map(hashed));
    return this.#hashed;
  }
}

function isRewrite(planned: PlannedItem): planned is PlannedRewrite {
  return planned.action === 'rewrite';
}

/** Whether a batch has to be begun for an item: a rewrite that is under way has one. */
function isToDo(planned: PlannedItem, isOpen: (streamId: string | undefined) => boolean): boolean {
  if (planned.action !== 'rewrite') return planned.action !== 'skip';
  return !isUnderWay(planned) || !isOpen(planned.record?.progress?.batch);
}
