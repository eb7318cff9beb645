import { RequestRejected } from '../problems/index.js';
import type { LiveStream } from './live-stream.js';

/** The options of live queries. */
export interface LiveOptions {
  /** The most connections of one host. Default: 10,000. */
  readonly perHost?: number;
  /** The most connections of one user on one host. Callers without a user count as one for each tenant. Default: 100. */
  readonly perCaller?: number;
  /** How often a connection without changes gets a comment, so that proxies do not close it, in milliseconds. Default: 15,000. */
  readonly heartbeatMs?: number;
  /** How often the credential and the permissions of each caller are checked again, in milliseconds. Default: 5,000. */
  readonly checkMs?: number;
}

/** Changed permissions end connections within this time. Not all are checked at once, so that many do not delay requests. */
const changeMs = 1_000;

/** Connections are handled in turns of this length, so that many do not delay requests. */
const turnMs = 250;

/** An open connection of a live query. */
export interface LiveConnection {
  readonly stream: LiveStream;
  /** Rejects when the caller may no longer see what it watches. */
  check(): Promise<void>;
}

interface Open extends LiveConnection {
  readonly caller: string;
  nextBeat: number;
  nextCheck: number;
}

/** The open connections of live queries on one host: their limits, heartbeats and repeated checks. */
export class LiveConnections {
  readonly #perHost: number;
  readonly #perCaller: number;
  readonly #heartbeatMs: number;
  readonly #checkMs: number;
  readonly #open = new Set<Open>();
  readonly #perCallerNow = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ perHost = 10_000, perCaller = 100, heartbeatMs = 15_000, checkMs = 5_000 }: LiveOptions = {}) {
    for (const [name, value] of Object.entries({ perHost, perCaller, heartbeatMs, checkMs })) {
      if (!Number.isSafeInteger(value) || value <= 0)
        throw new RangeError(`live.${name} must be a whole number above 0, not ${value}.`);
    }
    this.#perHost = perHost;
    this.#perCaller = perCaller;
    this.#heartbeatMs = heartbeatMs;
    this.#checkMs = checkMs;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Throws if there are too many connections: of the host, or of the caller. */
  requireRoom(caller: string): void {
    if (this.#open.size >= this.#perHost)
      throw tooMany('unavailable', `This host has ${this.#perHost} live connections already. Try again later.`);
    if ((this.#perCallerNow.get(caller) ?? 0) >= this.#perCaller)
      throw tooMany(
        'too-many-requests',
        `You have ${this.#perCaller} live connections already. Close one, or watch a list instead of single models.`,
      );
  }

  add(caller: string, connection: LiveConnection): void {
    const now = performance.now();
    const open: Open = {
      ...connection,
      caller,
      nextBeat: now + this.#heartbeatMs,
      // Checked at different times, also if all connect at once.
      nextCheck: now + this.#checkMs * (0.5 + Math.random() / 2),
    };
    this.#open.add(open);
    this.#perCallerNow.set(caller, (this.#perCallerNow.get(caller) ?? 0) + 1);
    connection.stream.once('close', () => this.#remove(open));
    this.#timer ??= setInterval(() => this.#turn(), turnMs).unref();
  }

  /** Checks the access of all connections soon, because permissions have changed. */
  checkAll(): void {
    const now = performance.now();
    for (const open of this.#open) open.nextCheck = Math.min(open.nextCheck, now + Math.random() * changeMs);
  }

  #remove(open: Open): void {
    if (!this.#open.delete(open)) return;
    const left = this.#perCallerNow.get(open.caller)! - 1;
    if (left === 0) this.#perCallerNow.delete(open.caller);
    else this.#perCallerNow.set(open.caller, left);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #turn(): void {
    const now = performance.now();
    for (const open of this.#open) {
      if (now >= open.nextBeat) {
        open.nextBeat = now + this.#heartbeatMs;
        open.stream.beat();
      }
      if (now >= open.nextCheck) {
        open.nextCheck = now + this.#checkMs;
        open.check().catch(() => open.stream.end());
      }
    }
  }
}

function tooMany(problem: 'too-many-requests' | 'unavailable', detail: string): RequestRejected {
  return new RequestRejected(problem, detail, { 'retry-after': '5' });
}
