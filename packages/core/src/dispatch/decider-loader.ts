import {
  evolved,
  initialState,
  StreamOfDecider,
  type LoadedStream,
  type NamedDecider,
  type Snapshots,
  type StreamState,
} from '../deciders/index.js';
import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import type { Event, MessageEnvelope } from '../messages/index.js';
import { tenantOfCommand } from '../storage/index.js';
import type { ActorGuard } from './acting-scope.js';
import type { Invocation } from './invocation.js';
import { StreamQueue, type ObserveWait } from './stream-queue.js';
import type { UnitLog, UnitOfWork } from './unit-of-work.js';

/** A stream as it was loaded. */
interface Loaded {
  readonly streamId: Uuid;
  readonly named: NamedDecider;
  readonly stored: StreamState;
  /** The position of the snapshot that was used; -1: none. */
  readonly snapshotAt: number;
}

/** What a `DeciderLoader` consists of. */
export interface LoaderParts {
  readonly log: UnitLog;
  readonly deciders: ReadonlyMap<unknown, NamedDecider>;
  readonly guard: ActorGuard;
  /** Null: streams are always read from their beginning. */
  readonly snapshots: Snapshots | null;
  /** Whether other hosts may append to the same database. */
  readonly isShared: boolean;
  /** Observes commands that wait for a stream of a decider; null: they are not observed. */
  readonly observeWaits: ((decider: string) => ReturnType<ObserveWait>) | null;
}

/** Loads streams for receptors, one command of this host after the other. */
export class DeciderLoader {
  readonly #deciders: ReadonlyMap<unknown, NamedDecider>;
  readonly #guard: ActorGuard;
  readonly #snapshots: Snapshots | null;
  readonly #log: LoaderParts['log'];
  readonly #queue: StreamQueue;
  readonly #observeWaits: LoaderParts['observeWaits'];

  constructor({ log, deciders, guard, snapshots, isShared, observeWaits }: LoaderParts) {
    this.#log = log;
    this.#deciders = deciders;
    this.#guard = guard;
    this.#snapshots = snapshots;
    this.#queue = new StreamQueue({ isShared });
    this.#observeWaits = observeWaits;
  }

  async load(decider: unknown, streamId: Uuid, invocation: Invocation): Promise<LoadedStream<unknown, Event>> {
    const { turn, unitOfWork, cancellation } = invocation;
    const named = this.#deciders.get(decider) ?? unknownDecider(decider);
    const line = this.#lineOf(streamId, invocation);
    const observe = this.#observeWaits;
    await this.#queue.enter(turn, line, cancellation, observe === null ? null : () => observe(named.name));
    const loaded = await this.#read(named, streamId, unitOfWork);
    this.#queue.loaded(line, loaded.stored.position);
    turn.onEnd(() => {
      const committed = unitOfWork.committedAfter(streamId, loaded.stored.position);
      const reached = loaded.stored.position + committed.length;
      if (committed.length > 0) this.#queue.committed(line, reached, () => this.#log.lastPosition(streamId));
      if (named.snapshots !== null) this.#offerSnapshot(loaded, committed);
    });
    return new StreamOfDecider(streamId, named, loaded.stored, {
      pendingIn: (id) => unitOfWork.pendingIn(id),
      append: (id, event, options) => invocation.append(id, event, options),
    });
  }

  /** A caller cannot make commands of another tenant wait: each tenant has its own queues. */
  #lineOf(streamId: Uuid, { envelope }: Invocation): string {
    return this.#guard.isolatesTenants ? `${streamId} ${tenantOfCommand(envelope)}` : streamId;
  }

  async #read(named: NamedDecider, streamId: Uuid, unitOfWork: UnitOfWork): Promise<Loaded> {
    const snapshot = (await this.#snapshots?.read(named, streamId)) ?? null;
    if (snapshot !== null) {
      unitOfWork.seen?.noteState(snapshot.state as object, named.snapshots!.writeState);
      const stored = await this.#readAfter(snapshot, named, streamId, unitOfWork);
      if (stored !== null) return { streamId, named, stored, snapshotAt: snapshot.position };
    }
    let stored = initialState(named);
    for await (const { position, envelope } of unitOfWork.readStored(streamId, 0)) {
      stored = evolved(named, stored, position, envelope);
    }
    return { streamId, named, stored, snapshotAt: -1 };
  }

  /** The state from a snapshot on; null if the stream, as the caller may see it, does not have the event of the snapshot. */
  async #readAfter(
    snapshot: StreamState,
    named: NamedDecider,
    streamId: Uuid,
    unitOfWork: UnitOfWork,
  ): Promise<StreamState | null> {
    let state: StreamState | null = null;
    for await (const { position, envelope } of unitOfWork.readStored(streamId, snapshot.position)) {
      if (state !== null) state = evolved(named, state, position, envelope);
      else if (envelope.id === snapshot.eventId) state = snapshot;
      else return null;
    }
    return state;
  }

  /** Offers the state after the command, or the stored one if the command was not committed at the position that it had loaded. */
  #offerSnapshot({ streamId, named, stored, snapshotAt }: Loaded, committed: readonly MessageEnvelope[]): void {
    if (stored.position + committed.length - snapshotAt < named.snapshots!.every) return;
    try {
      let state = stored;
      for (const envelope of committed) state = evolved(named, state, state.position + 1, envelope);
      this.#snapshots?.offer(named, streamId, state);
    } catch {
      // The command is committed. The next one that loads the stream reports that its decider fails.
    }
  }
}

function unknownDecider(decider: unknown): never {
  const name = typeof decider === 'function' ? decider.name : 'It';
  throw new ServiceError(
    'SVC_UNKNOWN_DECIDER',
    `Cannot load a stream: ${name} is not a registered decider. Let the class implement Decider, export it, and run "svc generate".`,
  );
}
