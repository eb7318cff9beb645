import { BackgroundWorker, detached } from '../../background/index.js';
import { ServiceError } from '../../errors/index.js';
import type { ModelChange, PerspectiveStorage, Progress } from '../../storage/index.js';
import type { NamedPerspective } from '../perspective.js';
import { LiveGroup, LiveWatch } from './live-group.js';
import { columnTypes } from '../read/list-request.js';
import { placeOfModels, readPlace, type PlacedList } from './live-place.js';
import type { LiveQuery } from './live-query.js';
import { LiveWindow } from './live-window.js';

/** How often models are read at most. Changes in between are sent together. */
export const pauseMs = 20;
/** How often the progress is compared while there are clients, in case a notification is missing. */
export const pollMs = 1_000;
/** How many queries of one host run at the same time. */
const mostQueries = 4;

/** A client that waits for the first models of its query. */
interface Joining {
  readonly group: LiveGroup;
  readonly settle: (error?: unknown) => void;
}

/**
 * The live queries of one perspective in one database. After a change, the models of each query that it may concern are read once, however many
 * clients the query has. Clients get the difference to what they have.
 */
export class LiveModels {
  readonly #named: Pick<NamedPerspective, 'name' | 'owners' | 'columns'>;
  readonly #storage: PerspectiveStorage;
  readonly #types: PlacedList['types'];
  readonly #worker: BackgroundWorker;
  readonly #groups = new Map<string, LiveGroup>();
  #joining: Joining[] = [];
  /** The ids of models that have changed since the last round; null: any of them may have. */
  #changed: Set<string> | null = new Set();
  /** The revision up to which all changes were seen, in the tables with this generation. */
  #seen = { generation: '', revision: -1 };
  #poll: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(
    named: Pick<NamedPerspective, 'name' | 'owners' | 'columns'>,
    storage: PerspectiveStorage,
    report: (error: unknown) => void,
  ) {
    this.#named = named;
    this.#storage = storage;
    this.#types = columnTypes(named.columns);
    this.#worker = new BackgroundWorker(() => this.#round(), report);
  }

  /** The number of clients. */
  get size(): number {
    let size = 0;
    for (const { watches } of this.#groups.values()) size += watches.size;
    return size;
  }

  /** Watches a query. Resolves when its models are read, at least as new as they are now. `place`: where the client was before. */
  async watch(query: LiveQuery, place: string | null): Promise<LiveWatch> {
    if (this.#isStopped) throw stopping();
    const name = JSON.stringify(query);
    const group = this.#groups.get(name) ?? new LiveGroup(query);
    const known = place === null ? null : (readPlace(place, this.#listOf(query)) ?? 'unknown');
    const watch = new LiveWatch(group, known, () => {
      group.watches.delete(watch);
      if (group.watches.size === 0 && this.#groups.get(name) === group) this.#groups.delete(name);
      if (this.#groups.size === 0) this.#stopPolling();
    });
    this.#groups.set(name, group);
    group.watches.add(watch);
    this.#poll ??= detached(() => setInterval(() => void this.#compare(), pollMs).unref());
    try {
      await new Promise<void>((resolve, reject) => {
        const settle = (error?: unknown): void => (error === undefined ? resolve() : reject(error));
        this.#joining.push({ group, settle });
        this.#worker.wake();
      });
    } catch (error) {
      watch.close();
      throw error;
    }
    return watch;
  }

  /** Called after a commit to the models. */
  changed({ ids, revision }: ModelChange): void {
    if (this.#groups.size === 0) return;
    if (ids === null) this.#changed = null;
    else for (const id of ids) this.#changed?.add(id);
    if (revision !== null && ids !== null) this.#seen.revision = Math.max(this.#seen.revision, revision);
    this.#worker.wake();
  }

  /** Ends all clients, which connect again, to this or another host. */
  end(): void {
    for (const { watches } of this.#groups.values()) for (const watch of watches) watch.end();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.end();
    this.#stopPolling();
    await this.#worker.stop();
    for (const { settle } of this.#joining) settle(stopping());
  }

  #listOf(query: LiveQuery): PlacedList {
    return { name: this.#named.name, types: this.#types, query };
  }

  #stopPolling(): void {
    clearInterval(this.#poll);
    this.#poll = undefined;
  }

  async #compare(): Promise<void> {
    try {
      if (this.#isSeen(await this.#storage.readProgress(this.#named.name))) return;
    } catch {
      // The database is unavailable. The models are read when it is back.
    }
    this.#changed = null;
    this.#worker.wake();
  }

  /** Whether all changes up to a progress were announced or read. */
  #isSeen({ generation = '', changed }: Progress): boolean {
    return generation === this.#seen.generation && changed !== undefined && changed <= this.#seen.revision;
  }

  /** Reads the models of all queries that changes may concern. */
  async #round(): Promise<boolean> {
    const joining = this.#joining;
    const changed = this.#changed;
    this.#joining = [];
    this.#changed = new Set();
    try {
      const progress = await this.#storage.readProgress(this.#named.name);
      const concerned = await this.#concerned(changed, joining);
      const isRead = await this.#read([...concerned], joining, progress);
      if (changed === null && isRead) this.#remember(progress);
    } catch (error) {
      // The next round reads everything.
      this.#changed = null;
      for (const { settle } of joining) settle(error);
      if (this.#groups.size === 0) return false;
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return this.#joining.length > 0 || this.#changed === null || this.#changed.size > 0;
  }

  #remember({ generation = '', changed, revision }: Progress): void {
    const isSame = this.#seen.generation === generation;
    this.#seen = { generation, revision: Math.max(changed ?? revision, isSame ? this.#seen.revision : -1) };
  }

  async #concerned(changed: ReadonlySet<string> | null, joining: readonly Joining[]): Promise<Set<LiveGroup>> {
    if (changed === null) return new Set(this.#groups.values());
    const concerned = new Set(joining.map(({ group }) => group));
    if (changed.size === 0) return concerned;
    const models = await this.#storage.readModels(this.#named.name, [...changed]);
    const { owners } = this.#named;
    for (const group of this.#groups.values()) {
      if (models.some((model) => group.concerns(model, owners))) concerned.add(group);
    }
    return concerned;
  }

  /** The models of a query, and their place: they are at least as new as a progress. */
  async #windowOf(wanted: LiveQuery, progress: Progress): Promise<LiveWindow> {
    const { key: _, ...query } = wanted;
    const models = await this.#storage.listModels(this.#named.name, { ...query, offset: 0 });
    const list = this.#listOf(wanted);
    return new LiveWindow(models, placeOfModels(progress, models, list), list);
  }

  /** Whether all queries could be read. */
  async #read(groups: readonly LiveGroup[], joining: readonly Joining[], progress: Progress): Promise<boolean> {
    const read = new Map<LiveGroup, LiveWindow>();
    const failed = new Map<LiveGroup, unknown>();
    const waiting = groups.values();
    const readNext = async (): Promise<void> => {
      for (const group of waiting) {
        try {
          let window = await this.#windowOf(group.query, progress);
          // A model was removed after the progress was read. Clients could not tell the places before and after the removal apart.
          if (group.repeatsPlace(window))
            window = await this.#windowOf(group.query, await this.#storage.readProgress(this.#named.name));
          if (group.differsFrom(window)) read.set(group, window);
        } catch (error) {
          failed.set(group, error);
        }
      }
    };
    await Promise.all(Array.from({ length: mostQueries }, readNext));
    // A place that a client has must not be lost in a crash.
    if (read.size > 0) await this.#storage.changes.flush();
    for (const [group, window] of read) group.show(window);
    for (const { group, settle } of joining) settle(failed.get(group));
    // The next poll reads everything.
    if (failed.size > 0) this.#seen = { generation: '', revision: -1 };
    return failed.size === 0;
  }
}

function stopping(): ServiceError {
  return new ServiceError('SVC_SERVICE_STOPPING', 'The service is stopping. Connect again.');
}
