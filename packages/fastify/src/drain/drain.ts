import type { FastifyInstance } from 'fastify';
import { problem, sendProblem } from '../problems/index.js';
import { isProbe } from '../health.js';
import { within } from './time-limit.js';

export interface DrainOptions {
  /** How long readiness says 503 while everything is still served, so that whoever sends the traffic has seen it. Default: 5 s. */
  readonly noticeMs?: number;
  /** All of it ends after this long, whatever is left. Has to be shorter than what the platform allows. Default: 25 s. */
  readonly limitMs?: number;
}

export interface DrainOutcome {
  /** Nothing was cut. */
  readonly clean: boolean;
  /** Requests that were still running when the limit was over. */
  readonly cut: number;
}

/** What ends before the listener does: a service hands its work in the background over. */
export interface Stoppable {
  /** Lets readiness say no. */
  drain(): void;
  stop(): Promise<void>;
}

/**
 * Takes a host out of service without losing a request: readiness turns 503, requests go on being served until nobody sends any,
 * running ones finish, the service's workers hand over, and the listener closes last.
 *
 * Make it before the routes it should watch are registered.
 */
export class Drain {
  readonly #app: FastifyInstance;
  readonly #service: Stoppable;
  readonly #noticeMs: number;
  readonly #limitMs: number;
  #running = 0;
  #refusing = false;
  #settled: (() => void) | undefined;
  #outcome: Promise<DrainOutcome> | undefined;

  constructor(app: FastifyInstance, service: Stoppable, { noticeMs = 5000, limitMs = 25_000 }: DrainOptions = {}) {
    this.#app = app;
    this.#service = service;
    this.#noticeMs = noticeMs;
    this.#limitMs = limitMs;
    app.addHook('onRequest', (request, reply, done) => {
      this.#running += 1;
      // Comes after the answer is out, and also when the caller goes away.
      reply.raw.once('close', () => this.#ended());
      if (this.draining && request.raw.httpVersionMajor === 1) reply.header('connection', 'close');
      if (!this.#refusing || isProbe(request)) return done();
      reply.header('retry-after', '1');
      sendProblem(request, reply, problem('unavailable', 'This host is being taken out of service. Try again.'));
    });
  }

  /** Whether it has begun. */
  get draining(): boolean {
    return this.#outcome !== undefined;
  }

  /** Requests that are being answered. */
  get running(): number {
    return this.#running;
  }

  /** Drains; a second call waits for the first. */
  drain(noticeMs = this.#noticeMs): Promise<DrainOutcome> {
    this.#outcome ??= this.#drain(noticeMs);
    return this.#outcome;
  }

  async #drain(noticeMs: number): Promise<DrainOutcome> {
    const end = Date.now() + this.#limitMs;
    this.#service.drain();
    await within(new Promise<void>(() => {}), Math.min(noticeMs, this.#limitMs));
    this.#refusing = true;
    await within(this.#idle(), end - Date.now());
    const isStopped = await within(this.#service.stop(), end - Date.now());
    const cut = this.#running;
    const closed = this.#app.close();
    const isClosed = await within(closed, end - Date.now());
    if (!isClosed) this.#app.server.closeAllConnections();
    await closed;
    return { clean: cut === 0 && isStopped, cut };
  }

  #idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#settled = resolve;
      if (this.#running === 0) resolve();
    });
  }

  #ended(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#settled?.();
  }
}
