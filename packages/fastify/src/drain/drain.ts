import type { Http2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { isProbe } from '../health.js';
import { OpenRequests, rejectRequest } from './open-requests.js';
import { within } from './time-limit.js';

export interface DrainOptions {
  /** How long readiness says 503 while everything is still served, so that load balancers notice. Default: 5 s. */
  readonly noticeMs?: number;
  /** The whole drain ends after this long, whatever is left. Must be shorter than what the platform allows. Default: 25 s. */
  readonly limitMs?: number;
}

export interface DrainOutcome {
  /** Nothing was cut, and the service has stopped. */
  readonly clean: boolean;
  /** Requests whose answer was not complete at the limit. Requests that did not arrive, and answers that no client read, do not count. */
  readonly cut: number;
}

/** What ends before the listener does: a service hands its work in the background over. */
export interface Stoppable {
  /** Lets readiness say no. */
  drain(): void;
  stop(): Promise<void>;
}

type Connection = Socket | Http2Session;

export const defaultLimitMs = 25_000;

/**
 * Takes a host out of service without losing a request. Readiness turns 503, and requests are served until the notice is over. Then requests
 * whose body has not arrived are ended, the others finish, the workers of the service hand over, and the listener closes last.
 *
 * Create it before the routes it should watch are registered.
 */
export class Drain {
  readonly #app: FastifyInstance;
  readonly #service: Stoppable;
  readonly #noticeMs: number;
  readonly #limitMs: number;
  readonly #open = new OpenRequests();
  readonly #connections = new Set<Connection>();
  #refusing = false;
  #outcome: Promise<DrainOutcome> | undefined;

  constructor(
    app: FastifyInstance,
    service: Stoppable,
    { noticeMs = 5000, limitMs = defaultLimitMs }: DrainOptions = {},
  ) {
    this.#app = app;
    this.#service = service;
    this.#noticeMs = noticeMs;
    this.#limitMs = limitMs;
    app.addHook('onRequest', (request, reply, done) => {
      this.#open.add(reply);
      if (this.draining && request.raw.httpVersionMajor === 1) reply.header('connection', 'close');
      if (this.#refusing && !isProbe(request)) rejectRequest(request, reply);
      else done();
    });
    // Node closes all connections of a server for HTTP/1 only. A socket of HTTP/2 closes with its session.
    for (const event of ['connection', 'session']) {
      app.server.on(event, (connection: Connection) => {
        this.#connections.add(connection);
        connection.once('close', () => this.#connections.delete(connection));
      });
    }
  }

  /** Whether it has begun. */
  get draining(): boolean {
    return this.#outcome !== undefined;
  }

  /** Requests that are being answered. */
  get running(): number {
    return this.#open.size;
  }

  /** Drains; a second call waits for the first. */
  drain(noticeMs = this.#noticeMs): Promise<DrainOutcome> {
    this.#outcome ??= this.#drain(noticeMs);
    return this.#outcome;
  }

  async #drain(noticeMs: number): Promise<DrainOutcome> {
    const end = Date.now() + this.#limitMs;
    // A client that does not read its answer must leave the service time to stop.
    const stopBy = end - Math.min(5000, this.#limitMs / 5);
    this.#service.drain();
    await within(new Promise<void>(() => {}), Math.min(noticeMs, this.#limitMs));
    this.#refusing = true;
    this.#open.rejectUnfinished();
    await within(this.#open.none(), stopBy - Date.now());
    if (this.#open.unanswered > 0) await within(this.#open.none(), end - Date.now());
    const isStopped = await within(this.#service.stop(), end - Date.now());
    const closed = this.#app.close();
    await within(this.#open.none(), end - Date.now());
    const cut = this.#open.unanswered;
    // What is left is idle, sends a request that will not be served, or does not read its answer.
    for (const connection of this.#connections) connection.destroy();
    await closed;
    return { clean: cut === 0 && isStopped, cut };
  }
}
