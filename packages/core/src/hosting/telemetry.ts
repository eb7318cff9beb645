import type { Dispatcher, RunReaction } from '../dispatch/index.js';
import type { SealedBatch } from '../seals/index.js';
import type { PerspectiveStorage, Storage } from '../storage/index.js';
import type { Transport } from '../transport/index.js';
import type { ReadyEndpoint } from './service-registry.js';

/**
 * Observes a running service. Each method is called at start to wrap a part of the service, once for each part; its return value replaces the
 * part. With several databases, there are several dispatchers and storages. A part without a method is used unwrapped.
 *
 * A wrapper must pass on every call, result and error, and must not fail by itself.
 */
export interface Telemetry {
  /** Wraps an endpoint, which serves the requests of callers. */
  endpoint?(inner: ReadyEndpoint): ReadyEndpoint;
  /** Wraps the dispatcher, which runs commands; `typeOf` returns their registered name. Commands that a receptor invokes are not included. */
  dispatcher?(inner: Dispatcher, typeOf: (command: object) => string): Dispatcher;
  /**
   * Called when a command begins to wait for another command of this host, because both load the same stream. Returns what is called when it no
   * longer waits: it has the stream, or was cancelled. `decider` is the name of the decider that it loads.
   */
  waiting?(decider: string): () => void;
  /** Wraps the storage of events, outbox and inbox: each `commit` is one unit of work. */
  storage?(inner: Storage): Storage;
  /** Wraps the storage of models: each `commitPerspective` is a batch of applied events. `storage` is the storage that it belongs to. */
  perspectives?(inner: PerspectiveStorage, storage: Storage): PerspectiveStorage;
  /** Wraps the runs of reactions: each call is one attempt to process an event. */
  reactions?(inner: RunReaction): RunReaction;
  /**
   * Wraps the transport, which publishes to other hosts and receives from them. `self` is the origin of the messages of this host: a broker
   * may deliver them to it as well.
   */
  transport?(inner: Transport, self: string): Transport;
  /** Called in the context of every request with a matched route, such as `/orders/:id`. */
  routed?(route: string): void;
  /** Called for every credential that was rejected, with its scheme. */
  authenticationFailed?(scheme: string): void;
  /** Called for every checkpoint that this host has stored. */
  sealed?(batch: SealedBatch): void;
  /** Called for every attempt to send a checkpoint to an anchor that failed, with the name of the anchor. */
  anchorFailed?(anchor: string): void;
  /** Observes the connections of live queries, over REST and GraphQL. */
  readonly live?: LiveTelemetry;
}

/** Observes the connections of live queries. `perspective` is the name of the perspective that a client watches. */
export interface LiveTelemetry {
  opened(perspective: string): void;
  closed(perspective: string): void;
  /** Called for each request that a limit rejected: that of connections of the host, or of the caller. */
  rejected(perspective: string, limit: 'host' | 'caller'): void;
  /** Called several times a second, with the steps of one kind that were sent to all clients since the last call, and their bytes. */
  sent(perspective: string, kind: LiveStepKind, steps: number, bytes: number): void;
}

/**
 * What a client of a live query was sent: its first `page`, the `changes` of an open connection, after a reconnect what has changed since
 * (`resumed`), or everything again because its place is no longer known (`reset`).
 */
export type LiveStepKind = 'page' | 'changes' | 'resumed' | 'reset';
