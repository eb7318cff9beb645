import { ServiceError } from '../errors/index.js';
import { runWithoutCaller } from '../security/index.js';
import { MigrationStatus, type SystemEventEmitter } from '../system-events/index.js';
import type { MigrationDatabase } from './migration-database.js';
import { hashed, requireValidItems, type HashedItem, type MigrationItem } from './migration-item.js';
import { MigrationFailedError } from './migration-failed-error.js';
import { migrationSettings, type MigrationOptions, type MigrationSettings } from './migration-options.js';
import type { MigrationRecord } from './migration-record.js';
import { BatchReport, MigrationReport } from './migration-report.js';
import { begin } from './patience.js';
import { planOf, type PlannedItem } from './plan.js';
import { rollBack } from './roll-back.js';
import { carryOut } from './start-batch.js';
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
  readonly #report = new MigrationReport();
  readonly #stopping = new AbortController();
  readonly #background = new Map<string, Promise<void>>();
  readonly #failed = new Set<string>();
  #hashed: Promise<readonly HashedItem[]> | undefined;
  #isWaiting = false;
  #onError: (error: unknown) => void = () => {};

  constructor(database: MigrationDatabase, infrastructure: readonly MigrationItem[], options?: MigrationOptions) {
    this.#database = database;
    this.#settings = migrationSettings(options);
    this.#items = [...infrastructure];
  }

  /** Adds items that are not the storage's own, such as the tables of perspectives. Before it is opened. */
  add(...items: readonly MigrationItem[]): void {
    if (items.length === 0) return;
    if (this.#hashed !== undefined) {
      throw new ServiceError('SVC_SERVICE_STARTED', 'The storage is open already. Add its migrations before.');
    }
    requireValidItems([...this.#items, ...items]);
    this.#items.push(...items);
  }

  /**
   * Brings the schema up to date. When it is, that is one query. When not, one instance does it and the others wait. Resolves once what is needed is
   * there; tables are rewritten in the background from then on.
   */
  async run(): Promise<void> {
    const items = await this.#allItems();
    const plan = await planOf(items, await this.#database.records(), this.#database);
    this.#failed.clear();
    if (plan.every(({ action }) => action === 'skip')) return;
    let rewrites = await this.#runBatch(items);
    // Another program has ended something while this one was about to begin: what there is to do is another thing now.
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

  /** Has an emitter told what happens, from now on. `onError` hears of what fails in the background. */
  tellTo(emitter: SystemEventEmitter, onError: (error: unknown) => void): void {
    this.#onError = onError;
    this.#report.tellTo(emitter);
  }

  /** Resolves once everything so far is told. */
  told(): Promise<void> {
    return this.#report.told();
  }

  /** Resolves once nothing is done in the background any more. */
  async idle(): Promise<void> {
    while (this.#background.size > 0) await Promise.all(this.#background.values());
  }

  /** Ends what is done in the background after its current batch; it goes on at the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort(
      new ServiceError('SVC_SERVICE_STOPPING', 'The storage is closed. Migrations go on at the next start.'),
    );
    await this.idle();
  }

  async #runBatch(
    items: readonly HashedItem[],
  ): Promise<readonly Extract<PlannedItem, { action: 'rewrite' }>[] | null> {
    const { signal } = this.#stopping;
    const session = await begin(this.#database, schemaSession, signal, () => (this.#isWaiting = true)).finally(
      () => (this.#isWaiting = false),
    );
    const tables = items.filter(({ item }) => item.kind === 'table').length;
    const report = new BatchReport(items.length - tables, tables);
    try {
      // Whoever had the session before may have done it all.
      const plan = await planOf(items, await session.records(), this.#database);
      const parts = { database: this.#database, settings: this.#settings, signal, report };
      const { rewrites, failed } = await carryOut(plan, session, parts);
      for (const key of failed) this.#failed.add(key);
      this.#report.add(...report.end());
      return rewrites;
    } catch (error) {
      if (error instanceof SupersededError) return null;
      if (error instanceof MigrationFailedError) {
        this.#failed.add(error.key);
        this.#report.add(...report.end());
      }
      throw error;
    } finally {
      await session.close().catch(() => {});
    }
  }

  #startRewrite(planned: Extract<PlannedItem, { action: 'rewrite' }>): void {
    const { key } = planned.item;
    const parts = {
      database: this.#database,
      settings: this.#settings,
      signal: this.#stopping.signal,
      report: this.#report,
    };
    const working = runWithoutCaller(async () => {
      try {
        if ((await rewriteTable(planned, parts)) === MigrationStatus.Failed) this.#failed.add(key);
      } catch (error) {
        if (parts.signal.aborted) return;
        this.#failed.add(key);
        this.#onError(error);
      } finally {
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
