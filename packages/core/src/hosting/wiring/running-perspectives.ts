import { ServiceError } from '../../errors/index.js';
import {
  Divisions,
  FillLanes,
  isInPlace,
  LiveModels,
  ModelHistory,
  ModelReader,
  ofOwnVersion,
  perspectiveLanes,
  perspectiveWorker,
  rebuild,
  RebuildHelp,
  removeLeftovers,
  replayInto,
  ProcessedEvents,
  WorkShare,
  type ModelSource,
  type PerspectiveWork,
  type RebuildOptions,
  type RebuildParts,
  type RebuildResult,
  type SharedPerspectives,
} from '../../perspectives/index.js';
import type { OperatedPerspectives } from '../../operations/index.js';
import type { Event } from '../../messages/index.js';
import { perspectiveItem, type Migrations } from '../../migrations/index.js';
import {
  isShared,
  leasesOf,
  notificationsOf,
  perspectivesOf,
  shortHash,
  type EventLog,
  type LogPlace,
  type OutgoingRecord,
  type PerspectiveStanding,
  type PerspectiveStorage,
  type PerspectiveTable,
  type StoppedStream,
  type Storage,
} from '../../storage/index.js';
import type { SystemEventEmitter } from '../../system-events/index.js';
import { type BackgroundWorker } from '../../background/index.js';
import { unknownPerspective, type DeclaredPerspective } from './declared-perspectives.js';
import type { Telemetry } from '../telemetry.js';

/** How long perspectives may take to see events of other hosts if no notification arrives. */
export const pollMs = 1_000;

export interface PerspectiveSurroundings {
  readonly log: EventLog;
  readonly storage: Storage;
  readonly migrations: Migrations | null;
  readonly emitter: SystemEventEmitter;
  /** Prepares a rewind event for the outbox; null if rewind events are disabled. */
  readonly outgoingOf: ((event: Event) => OutgoingRecord) | null;
  /** Called after something was queued. */
  readonly queued: () => void;
  /** Runs work of the host in this database. */
  readonly runAsHost: <T>(action: () => T) => T;
  readonly telemetry: Telemetry | null;
  readonly report: (error: unknown) => void;
}

/** The perspectives in one database: their worker, and how their models are found and rebuilt. */
export class RunningPerspectives implements OperatedPerspectives {
  readonly names: readonly string[];
  /** Processes the events; absent if there are no perspectives. */
  readonly worker: BackgroundWorker | undefined;
  /** The models, in the database or in memory. */
  readonly storage: PerspectiveStorage;
  readonly #sources = new Map<string, ModelSource>();
  readonly #histories: ModelHistory[] = [];
  readonly #rebuilds = new Map<unknown, (options: RebuildOptions) => Promise<RebuildResult>>();
  readonly #processed = new Map<string, ProcessedEvents>();
  readonly #live = new Map<string, LiveModels>();
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #polling: ReturnType<typeof setInterval> | undefined;
  readonly #wake: () => void = () => {};
  readonly #wakeOthers: () => void = () => {};
  readonly #share: WorkShare | undefined;
  readonly #help: RebuildHelp | undefined;
  readonly #helpers: RebuildParts['helpers'] = () => null;

  constructor(
    declared: readonly DeclaredPerspective[],
    { log, storage, migrations, emitter, outgoingOf, queued, runAsHost, telemetry, report }: PerspectiveSurroundings,
  ) {
    const plainPerspectives = perspectivesOf(storage, log, report);
    const perspectives = telemetry?.perspectives?.(plainPerspectives, storage) ?? plainPerspectives;
    this.storage = perspectives;
    const { readers: read, live: liveStorage, worker: storageOfWorker } = ofOwnVersion(perspectives);
    const reached = ({ perspective, segment }: PerspectiveWork, place: LogPlace): void => {
      // A replica has the models later than the worker has committed them; waits poll its progress.
      if (perspectives.replica !== undefined) return;
      const processed = this.#processed.get(perspective);
      // Other segments may be behind.
      if (segment === undefined) processed?.tell(place);
      else processed?.lookNow();
    };
    const leases = leasesOf(storage);
    const mayTouch = (name: string): Promise<boolean> => leases.hold(`rebuild/${name}`);
    const helpers: RebuildParts['helpers'] = () => this.#helpers();
    const parts = { log, storage: perspectives, emitter, mayTouch, helpers, reached, report, failed: report };
    for (const { class: perspectiveClass, named } of declared) {
      const { name } = named;
      const processed = new ProcessedEvents(name, log, read);
      this.#processed.set(name, processed);
      const live = new LiveModels(named, liveStorage, report);
      this.#live.set(name, live);
      this.#sources.set(name, { log, storage: read, reader: new ModelReader(named, read), processed, live });
      this.#histories.push(new ModelHistory(named, { log, storage: read }));
      const run = (options: RebuildOptions): Promise<RebuildResult> => runAsHost(() => rebuild(named, options, parts));
      for (const known of [perspectiveClass, name]) this.#rebuilds.set(known, run);
    }
    const tables = declared.map(({ table }) => table);
    const items = declared.map(({ named, table }) =>
      perspectiveItem(table, ({ tables: into, signal }) => runAsHost(() => replayInto(named, into, signal, parts))),
    );
    perspectives.define(tables);
    // The tables are part of the schema: the storage creates or rewrites them when it opens.
    migrations?.add(...items);
    this.names = declared.map(({ named }) => named.name);
    if (declared.length === 0) return;
    perspectives.changes.listen((change) => runAsHost(() => this.#live.get(change.perspective)?.changed(change)));
    const all = declared.map(({ named }) => named);
    const version = versionOf(tables);
    const share = new WorkShare(this.names, version, leases, new Divisions(storageOfWorker), {
      wake: () => this.#wake(),
      looked: (held) => runAsHost(() => help.takePart(held)),
    });
    const lanes = new FillLanes(share.group, leases);
    const help = new RebuildHelp(all, { ...parts, lanes, signal: this.#stopping.signal });
    this.#helpers = () => ({ count: share.otherHosts, lanes });
    this.#help = help;
    this.#share = share;
    const tidied = new Set<string>();
    const take = async (): Promise<SharedPerspectives> => {
      const shared = await share.take();
      for (const { perspective: name } of shared.own) {
        if (tidied.has(name) || this.#underWay.size > 0) continue;
        tidied.add(name);
        await removeLeftovers(name, perspectives, mayTouch);
      }
      return shared;
    };
    const worker = perspectiveWorker(all, {
      ...parts,
      storage: storageOfWorker,
      outgoingOf,
      queued,
      lane: `${perspectiveLanes}${version}`,
      share: {
        take,
        holds: (work) => share.holds(work),
        progressed: (work, isBehind) => share.progressed(work, isBehind),
      },
    });
    this.worker = worker;
    this.#wake = () => runAsHost(() => worker.wake());
    const notifications = notificationsOf(storage);
    this.#wakeOthers = () => {
      if (!share.isComplete) notifications.wakeHolders(share.lanes);
    };
    // Other hosts append as well, possibly without a notification.
    if (isShared(storage)) this.#polling = setInterval(this.#wake, pollMs).unref();
  }

  /** Called after this host has committed events: wakes the workers that process them. */
  committed(): void {
    this.#wake();
    this.#wakeOthers();
  }

  /** Where the models of a perspective are read. */
  sourceOf(name: string): ModelSource {
    return this.#sources.get(name)!;
  }

  /** Computes the earlier models of each perspective. */
  get histories(): readonly ModelHistory[] {
    return this.#histories;
  }

  /** The live queries of each perspective. */
  get live(): readonly LiveModels[] {
    return [...this.#live.values()];
  }

  async canRebuild(name: string): Promise<boolean> {
    return this.#rebuilds.has(name) && (await isInPlace(name, this.storage));
  }

  readStopped(name: string): Promise<readonly StoppedStream[]> {
    return this.storage.readStopped(name);
  }

  readStandings(limit: number): Promise<readonly PerspectiveStanding[]> {
    return this.storage.readStandings(this.names, limit);
  }

  partHere(name: string): { readonly own: number; readonly all: number } {
    return this.#share?.partOf(name) ?? { own: 0, all: 1 };
  }

  /** Rebuilds a perspective by its class or its name. */
  async rebuild(perspective: unknown, options: RebuildOptions): Promise<RebuildResult> {
    const run = this.#rebuilds.get(perspective);
    if (run === undefined) throw unknownPerspective(perspective);
    const signals = [this.#stopping.signal, ...(options.signal === undefined ? [] : [options.signal])];
    const running = run({ ...options, signal: AbortSignal.any(signals) });
    this.#underWay.add(running);
    try {
      return await running;
    } finally {
      this.#underWay.delete(running);
      // The worker continues in the background with models that are not complete.
      this.#wake();
    }
  }

  /** Cancels running rebuilds and stops polling. The worker stops with the other workers. */
  async stop(): Promise<void> {
    clearInterval(this.#polling);
    this.#share?.stop();
    for (const processed of this.#processed.values()) processed.stop();
    const ended = [...this.#live.values()].map((live) => live.stop());
    this.#stopping.abort(
      new ServiceError(
        'SVC_SERVICE_STOPPING',
        'The service is stopping. Start the rebuild again after its next start.',
      ),
    );
    // Cancelled rebuilds still emit events and clean up, which needs the storage.
    await Promise.allSettled([...this.#underWay, ...ended]);
    await this.#help?.idle();
  }
}

/** What the hosts that share the work have in common: the same perspectives in the same versions. Other hosts work concurrently. */
function versionOf(tables: readonly PerspectiveTable[]): string {
  const parts = tables
    .map(({ perspective, columns, version }) => JSON.stringify([perspective, columns, version]))
    .toSorted();
  return shortHash(parts.join('\n'));
}
