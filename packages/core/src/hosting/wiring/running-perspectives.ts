import type { AccessControl } from '../../access/index.js';
import { ServiceError } from '../../errors/index.js';
import {
  Divisions,
  FillLanes,
  isInPlace,
  isServed,
  ModelAccess,
  ModelOwners,
  ofOwnVersion,
  ownerFilters,
  perspectiveAccessOf,
  perspectiveLanes,
  PerspectiveLens,
  PerspectiveQuery,
  perspectiveWorker,
  rebuild,
  RebuildHelp,
  removeLeftovers,
  replayInto,
  ProcessedEvents,
  WorkShare,
  type NamedPerspective,
  type PerspectiveWork,
  type RebuildOptions,
  type RebuildParts,
  type RebuildResult,
  type SharedPerspectives,
} from '../../perspectives/index.js';
import type { OperatedPerspectives } from '../../operations/index.js';
import type { Event } from '../../messages/index.js';
import { perspectiveItem, type MigrationItem, type Migrations } from '../../migrations/index.js';
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
import { wantedTable } from './perspective-migrations.js';
import type { HostParts, ServiceRegistry } from '../service-registry.js';
import type { Telemetry } from '../telemetry.js';

/** How long perspectives may take to see events of other hosts if no notification arrives. */
export const pollMs = 1_000;

export interface PerspectiveSurroundings {
  readonly log: EventLog;
  readonly storage: Storage;
  readonly migrations: Migrations | null;
  readonly openapi: ServiceRegistry<never>['openapi'];
  readonly emitter: SystemEventEmitter;
  /** Prepares a rewind event for the outbox; null if rewind events are disabled. */
  readonly outgoingOf: ((event: Event) => OutgoingRecord) | null;
  /** Called after something was queued. */
  readonly queued: () => void;
  readonly access: AccessControl;
  readonly telemetry: Telemetry | null;
  readonly report: (error: unknown) => void;
}

/** The perspectives of a running service: their worker, and how they are read and rebuilt. */
export class RunningPerspectives implements OperatedPerspectives {
  readonly queries: readonly PerspectiveQuery[];
  readonly names: readonly string[];
  /** Processes the events; absent if there are no perspectives. */
  readonly worker: BackgroundWorker | undefined;
  readonly #storage: PerspectiveStorage;
  readonly #lenses = new Map<unknown, PerspectiveLens<object>>();
  readonly #rebuilds = new Map<unknown, (options: RebuildOptions) => Promise<RebuildResult>>();
  readonly #processed = new Map<string, ProcessedEvents>();
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #polling: ReturnType<typeof setInterval> | undefined;
  readonly #wake: () => void = () => {};
  readonly #wakeOthers: () => void = () => {};
  readonly #share: WorkShare | undefined;
  readonly #help: RebuildHelp | undefined;
  readonly #helpers: RebuildParts['helpers'] = () => null;

  constructor(
    found: NonNullable<ServiceRegistry<never>['perspectives']>,
    services: object,
    host: HostParts,
    {
      log,
      storage,
      migrations,
      openapi,
      emitter,
      outgoingOf,
      queued,
      access,
      telemetry,
      report,
    }: PerspectiveSurroundings,
  ) {
    const plainPerspectives = perspectivesOf(storage, log, report);
    const perspectives = telemetry?.perspectives?.(plainPerspectives) ?? plainPerspectives;
    this.#storage = perspectives;
    const { readers: read, worker: storageOfWorker } = ofOwnVersion(perspectives);
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
    const parts = { log, storage: perspectives, emitter, mayTouch, helpers, reached, report };
    const all: NamedPerspective[] = [];
    const tables: PerspectiveTable[] = [];
    const items: MigrationItem[] = [];
    const queries: PerspectiveQuery[] = [];
    for (const { create, class: perspectiveClass, columns = [], ...rest } of found) {
      const served = perspectiveAccessOf(perspectiveClass);
      const filters = ownerFilters(served, access.isolatesTenants);
      const owners = new ModelOwners(filters);
      const named = { ...rest, columns, owners, perspective: create(host, services as never) };
      all.push(named);
      const processed = new ProcessedEvents(named.name, log, read);
      this.#processed.set(named.name, processed);
      const modelAccess = new ModelAccess(named, served, access);
      const lens = new PerspectiveLens({
        log,
        named,
        storage: read,
        processed,
        access: modelAccess,
        control: access,
      });
      this.#lenses.set(perspectiveClass, lens);
      const run = (options: RebuildOptions): Promise<RebuildResult> =>
        access.runAsHost(() => rebuild(named, options, parts));
      for (const known of [perspectiveClass, named.name]) this.#rebuilds.set(known, run);
      const table = wantedTable({ ...named, class: perspectiveClass }, access.isolatesTenants, openapi);
      tables.push(table);
      items.push(
        perspectiveItem(table, ({ tables: into, signal }) =>
          access.runAsHost(() => replayInto(named, into, signal, parts)),
        ),
      );
      if (isServed(served)) queries.push(new PerspectiveQuery(named, served, access, read, processed));
    }
    perspectives.define(tables);
    // The tables are part of the schema: the storage creates or rewrites them when it opens.
    migrations?.add(...items);
    this.queries = queries;
    this.names = all.map(({ name }) => name);
    if (all.length === 0) return;
    const version = versionOf(tables);
    const share = new WorkShare(this.names, version, leases, new Divisions(storageOfWorker), {
      wake: () => this.#wake(),
      looked: (held) => access.runAsHost(() => help.takePart(held)),
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
      share: { take, holds: (work) => share.holds(work) },
    });
    this.worker = worker;
    this.#wake = () => access.runAsHost(() => worker.wake());
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

  /** Returns the lens of a perspective class. */
  lens(perspective: unknown): PerspectiveLens<object> {
    const lens = this.#lenses.get(perspective);
    if (lens === undefined) throw unknownPerspective(perspective);
    return lens;
  }

  async canRebuild(name: string): Promise<boolean> {
    return this.#rebuilds.has(name) && (await isInPlace(name, this.#storage));
  }

  readStopped(name: string): Promise<readonly StoppedStream[]> {
    return this.#storage.readStopped(name);
  }

  readStandings(limit: number): Promise<readonly PerspectiveStanding[]> {
    return this.#storage.readStandings(this.names, limit);
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
    this.#stopping.abort(
      new ServiceError(
        'SVC_SERVICE_STOPPING',
        'The service is stopping. Start the rebuild again after its next start.',
      ),
    );
    // Cancelled rebuilds still emit events and clean up, which needs the storage.
    await Promise.allSettled(this.#underWay);
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

function unknownPerspective(perspective: unknown): ServiceError {
  const name = typeof perspective === 'function' ? perspective.name : 'It';
  return new ServiceError(
    'SVC_UNKNOWN_PERSPECTIVE',
    `${name} is not a registered perspective. Call addServicePerspectives() and run svc generate.`,
  );
}
