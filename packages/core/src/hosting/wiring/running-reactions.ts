import { BackgroundWorker } from '../../background/index.js';
import type { RunReaction } from '../../dispatch/index.js';
import { ServiceError } from '../../errors/index.js';
import {
  emitFailed,
  react,
  reactionLanes,
  ReactionShare,
  ReactionWorker,
  type NamedReaction,
} from '../../reactions/index.js';
import {
  leasesOf,
  notificationsOf,
  type EventLog,
  type ReactionStanding,
  type Storage,
  type StorageReactions,
} from '../../storage/index.js';
import type { SystemEventEmitter } from '../../system-events/index.js';

/** How long reactions may take to see events of other hosts and changes of operators if no notification arrives. */
const pollMs = 1_000;

export interface ReactionSurroundings {
  readonly log: EventLog;
  readonly storage: Storage;
  /** Runs a reaction in this database. */
  readonly run: RunReaction;
  readonly emitter: SystemEventEmitter;
  /** Runs work of the host in this database. */
  readonly runAsHost: <T>(action: () => T) => T;
  readonly report: (error: unknown) => void;
}

/** The reactions in one database. */
export class RunningReactions {
  readonly names: readonly string[];
  readonly #declared: readonly NamedReaction[];
  readonly #storage: StorageReactions | null;
  readonly #workers: readonly ReactionWorker[] = [];
  readonly #share: ReactionShare | undefined;
  /** Takes and releases segments, then wakes the workers. */
  readonly #sharing: BackgroundWorker | undefined;
  readonly #runAsHost: ReactionSurroundings['runAsHost'];
  readonly #wakeOthers: () => void = () => {};
  #polling: NodeJS.Timeout | undefined;
  #isStarted = false;

  constructor(declared: readonly NamedReaction[], surroundings: ReactionSurroundings) {
    const { log, storage, runAsHost, report } = surroundings;
    this.names = declared.map(({ name }) => name);
    this.#declared = declared;
    this.#runAsHost = runAsHost;
    this.#storage = declared.length === 0 ? null : requireReactions(declared, storage);
    if (this.#storage === null) return;
    const share = new ReactionShare(this.names, leasesOf(storage), () => this.wake());
    const parts = {
      log,
      storage: this.#storage,
      react: react.bind(null, surroundings),
      parked: emitFailed.bind(null, surroundings),
      report,
    };
    const workers = declared.map(
      (named) => new ReactionWorker(named, { ...parts, held: () => share.held(named.name) }),
    );
    this.#share = share;
    this.#workers = workers;
    this.#sharing = new BackgroundWorker(async () => {
      await share.look();
      for (const worker of workers) worker.wake();
      return false;
    }, report);
    const notifications = notificationsOf(storage);
    this.#wakeOthers = () => {
      if (!share.isComplete) notifications.wakeHolders(reactionLanes);
    };
  }

  /** Records where each reaction starts. Throws if one does not declare it, and the log has events. */
  async start(): Promise<void> {
    for (const { name, settings, isProcess } of this.#declared) {
      if (await this.#storage!.register(name, settings.from)) continue;
      const kind = isProcess ? 'process' : 'reaction';
      throw new ServiceError(
        'SVC_REACTION_START_UNDECLARED',
        `The ${kind} ${name} does not declare where it starts, and the log has events. Declare @${kind}({ from: 'now' }) for events from now on, or from: 'beginning' for all.`,
      );
    }
    if (this.#storage === null) return;
    this.#isStarted = true;
    this.#polling = setInterval(() => this.wake(), pollMs).unref();
  }

  wake(): void {
    if (this.#isStarted) this.#runAsHost(() => this.#sharing!.wake());
  }

  /** Called after this host has committed events: wakes the workers that process them. */
  committed(): void {
    if (!this.#isStarted) return;
    // Not through `wake`: events do not wait for the check of the shares.
    this.#runAsHost(() => {
      for (const worker of this.#workers) worker.wake();
    });
    this.#wakeOthers();
  }

  get isBusy(): boolean {
    return this.#sharing?.isBusy === true || this.#workers.some(({ isBusy }) => isBusy);
  }

  async idle(): Promise<void> {
    await this.#sharing?.idle();
    for (const worker of this.#workers) await worker.idle();
  }

  /** How far the reactions of this service are behind, counting up to `limit` events. */
  async readStandings(limit: number): Promise<readonly ReactionStanding[]> {
    const standings = await this.#storage!.readStandings(limit);
    return standings.filter(({ name }) => this.names.includes(name));
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    clearInterval(this.#polling);
    this.#share?.stop();
    await this.#sharing?.stop();
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }
}

function requireReactions(declared: readonly NamedReaction[], { reactions, processes }: Storage): StorageReactions {
  const isSupported = processes !== undefined || !declared.some(({ isProcess }) => isProcess);
  if (reactions !== undefined && isSupported) return reactions;
  throw new ServiceError(
    'SVC_REACTIONS_UNSUPPORTED',
    'The service has reactions or processes, but its storage does not support them. Use postgres, sqlite or InMemoryStorage.',
  );
}
