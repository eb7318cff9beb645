import type { Http2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { HostRequest } from '../host.js';
import { OpenRequests, rejectRequest, type OpenReply } from './open-requests.js';
import { within } from './time-limit.js';

/** The options of a drain. */
export interface DrainOptions {
  /** How long readiness returns 503 while the host still serves requests, so that load balancers notice. Default: 5 s. */
  readonly noticeMs?: number;
  /** The time limit of the whole drain. Must be shorter than the grace period of the platform. Default: 25 s. */
  readonly limitMs?: number;
}

/** The result of a drain. */
export interface DrainOutcome {
  /** Whether all requests were answered and the service has stopped. */
  readonly clean: boolean;
  /** Requests whose response was incomplete at the limit. Incomplete requests, and responses that no client read, do not count. */
  readonly cut: number;
}

/** What stops before the listener: a service hands over its background work. */
export interface Stoppable {
  /** Makes readiness fail. */
  drain(): void;
  /** Ends responses that last as long as their clients stay. */
  endWatches?(): void;
  stop(): Promise<void>;
}

type Connection = Socket | Http2Session;

/** The host that a drain stops. */
export interface DrainedHost {
  /** A server of `node:http`, `node:https` or `node:http2`. */
  readonly server: { on(event: string, listener: (connection: Connection) => void): unknown };
  /** Closes the listener, and resolves when all connections are closed. */
  close(): Promise<void>;
}

export const defaultLimitMs = 25_000;

/**
 * Stops a host without losing a request. Readiness returns 503, and the host serves requests until the notice ends. Then it ends requests
 * whose body has not arrived, finishes the others, stops the workers of the service, and closes the listener last.
 */
export class HostDrain {
  readonly #host: DrainedHost;
  readonly #service: Stoppable;
  readonly #noticeMs: number;
  readonly #limitMs: number;
  readonly #open = new OpenRequests();
  readonly #connections = new Set<Connection>();
  #rejecting = false;
  #outcome: Promise<DrainOutcome> | undefined;

  constructor(host: DrainedHost, service: Stoppable, { noticeMs = 5000, limitMs = defaultLimitMs }: DrainOptions = {}) {
    this.#host = host;
    this.#service = service;
    this.#noticeMs = noticeMs;
    this.#limitMs = limitMs;
    // Node closes all connections of an HTTP/1 server only. An HTTP/2 socket closes with its session.
    for (const event of ['connection', 'session']) {
      host.server.on(event, (connection) => {
        this.#connections.add(connection);
        connection.once('close', () => this.#connections.delete(connection));
      });
    }
  }

  /** Watches a request from its beginning. False: it was rejected, because the host is stopping. */
  watch(request: HostRequest, reply: OpenReply, isProbe: boolean): boolean {
    this.#open.add(reply);
    if (this.draining && request.raw.httpVersionMajor === 1) reply.header('connection', 'close');
    if (!this.#rejecting || isProbe) return true;
    rejectRequest(request, reply);
    return false;
  }

  /** Whether the drain has started. */
  get draining(): boolean {
    return this.#outcome !== undefined;
  }

  /** The number of requests in progress. */
  get running(): number {
    return this.#open.size;
  }

  /** Drains the host; a second call waits for the first. */
  drain(noticeMs = this.#noticeMs): Promise<DrainOutcome> {
    this.#outcome ??= this.#drain(noticeMs);
    return this.#outcome;
  }

  async #drain(noticeMs: number): Promise<DrainOutcome> {
    const end = Date.now() + this.#limitMs;
    // Leave the service time to stop, even if a client does not read its response.
    const stopBy = end - Math.min(5000, this.#limitMs / 5);
    this.#service.drain();
    await within(new Promise<void>(() => {}), Math.min(noticeMs, this.#limitMs));
    this.#rejecting = true;
    this.#service.endWatches?.();
    this.#open.rejectUnfinished();
    await within(this.#open.none(), stopBy - Date.now());
    if (this.#open.unanswered > 0) await within(this.#open.none(), end - Date.now());
    const isStopped = await within(this.#service.stop(), end - Date.now());
    const closed = this.#host.close();
    await within(this.#open.none(), end - Date.now());
    const cut = this.#open.unanswered;
    // The remaining connections are idle, send a request that will not be served, or do not read their response.
    for (const connection of this.#connections) connection.destroy();
    await closed;
    return { clean: cut === 0 && isStopped, cut };
  }
}
