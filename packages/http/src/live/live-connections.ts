import type { LiveTelemetry } from '@svc/core/hosting';
import { RequestRejected } from '../problems/index.js';
import { LiveMeter, type CountStep } from './live-meter.js';
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

/** Room for one connection. */
export interface LiveRoom {
  /** Counts its steps; null: they are not measured. */
  readonly count: CountStep | null;
  /** Uses it for a connection, until that is closed. */
  use(connection: LiveConnection): void;
  /** Gives it back: there will be no connection. */
  free(): void;
}

interface Open extends LiveConnection {
  nextBeat: number;
  nextCheck: number;
}

/** The open connections of live queries on one host, over REST and GraphQL: their limits, heartbeats, repeated checks and measurements. */
export class LiveConnections {
  readonly #perHost: number;
  readonly #perCaller: number;
  readonly #heartbeatMs: number;
  readonly #checkMs: number;
  readonly #meter: LiveMeter | null;
  readonly #open = new Set<Open>();
  /** With the connections that are being opened. */
  #count = 0;
  readonly #countOf = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { perHost = 10_000, perCaller = 100, heartbeatMs = 15_000, checkMs = 5_000 }: LiveOptions = {},
    telemetry: LiveTelemetry | null = null,
  ) {
    for (const [name, value] of Object.entries({ perHost, perCaller, heartbeatMs, checkMs })) {
      if (!Number.isSafeInteger(value) || value <= 0)
        throw new RangeError(`live.${name} must be a whole number above 0, not ${value}.`);
    }
    this.#perHost = perHost;
    this.#perCaller = perCaller;
    this.#heartbeatMs = heartbeatMs;
    this.#checkMs = checkMs;
    this.#meter = telemetry === null ? null : new LiveMeter(telemetry);
  }

  /** Reserves room for a connection to a perspective. Throws if there are too many: of the host, or of the caller. */
  reserve(caller: string, perspective: string): LiveRoom {
    const own = this.#countOf.get(caller) ?? 0;
    if (this.#count >= this.#perHost) {
      this.#meter?.rejected(perspective, 'host');
      throw new LiveLimitError(503, `This host has ${this.#perHost} live connections already. Try again later.`);
    }
    if (own >= this.#perCaller) {
      this.#meter?.rejected(perspective, 'caller');
      throw new LiveLimitError(
        429,
        `You have ${this.#perCaller} live connections already. Close one, or watch a list instead of single models.`,
      );
    }
    this.#count++;
    this.#countOf.set(caller, own + 1);
    let isFree = false;
    const free = (): void => {
      if (isFree) return;
      isFree = true;
      this.#release(caller);
    };
    return {
      count: this.#meter?.counterOf(perspective) ?? null,
      use: (connection) => this.#add(connection, perspective, free),
      free,
    };
  }

  #add(connection: LiveConnection, perspective: string, free: () => void): void {
    const now = performance.now();
    const open: Open = {
      ...connection,
      nextBeat: now + this.#heartbeatMs,
      // Checked at different times, even if all connect at once.
      nextCheck: now + this.#checkMs * (0.5 + Math.random() / 2),
    };
    this.#open.add(open);
    this.#meter?.opened(perspective);
    connection.stream.once('close', () => {
      this.#open.delete(open);
      this.#meter?.closed(perspective);
      free();
      if (this.#open.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    this.#timer ??= setInterval(() => this.#turn(), turnMs).unref();
  }

  /** Checks the access of all connections soon, because permissions have changed. */
  checkAll(): void {
    const now = performance.now();
    for (const open of this.#open) open.nextCheck = Math.min(open.nextCheck, now + Math.random() * changeMs);
  }

  #release(caller: string): void {
    this.#count--;
    const left = this.#countOf.get(caller)! - 1;
    if (left === 0) this.#countOf.delete(caller);
    else this.#countOf.set(caller, left);
  }

  #turn(): void {
    this.#meter?.report();
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

/** There are too many connections of the host, or of the caller. */
export class LiveLimitError extends RequestRejected {
  override readonly name = 'LiveLimitError';
  readonly statusCode: 429 | 503;

  constructor(statusCode: 429 | 503, detail: string) {
    super(statusCode === 429 ? 'too-many-requests' : 'unavailable', detail, { 'retry-after': '5' });
    this.statusCode = statusCode;
  }
}
