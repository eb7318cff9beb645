import type { Dispatcher } from '../dispatch/index.js';
import type { PerspectiveStorage, Storage } from '../storage/index.js';
import type { Transport } from '../transport/index.js';
import type { ReadyEndpoint } from './service-registry.js';

/**
 * Watches a service at work. Each method is asked once, when the service is wired, to put something around a part of it; what it
 * returns is used in the part's place. A part without a method, and every part of a service without telemetry, is used as it is.
 *
 * What stands around a part keeps its promises: it passes on every call, result and error, and fails nothing by itself.
 */
export interface Telemetry {
  /** Serves the requests of callers. */
  endpoint?(inner: ReadyEndpoint): ReadyEndpoint;
  /** Runs commands; `typeOf` is the registered name of one. Commands that a receptor invokes belong to its own, and do not come by. */
  dispatcher?(inner: Dispatcher, typeOf: (command: object) => string): Dispatcher;
  /** Keeps events, what waits in the outbox and what was received: each `commit` is one unit of work. */
  storage?(inner: Storage): Storage;
  /** Keeps models: each `commitPerspective` is a batch of events that was applied. */
  perspectives?(inner: PerspectiveStorage): PerspectiveStorage;
  /** Publishes to other hosts and receives from them. */
  transport?(inner: Transport): Transport;
  /** Called for every credential that was rejected, with its scheme. */
  authenticationFailed?(scheme: string): void;
}
