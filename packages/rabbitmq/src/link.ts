import { type ServiceError } from '@svc/core';
import { RetryDelay } from '@svc/core/transport';
import { closeGently, destroy, endsWithin, type Connection } from './connect.js';
import { closed, failureOf, isMisconfigured, unavailable } from './failures.js';

const maxRetryDelayMs = 5_000;
const closeLimitMs = 2_000;

interface Waiting {
  readonly resolve: (connection: Connection) => void;
  readonly reject: (error: ServiceError) => void;
}

/** One connection to the broker, opened on first use and reopened whenever it is lost, until the link is closed. */
export class Link {
  readonly #connect: () => Promise<Connection>;
  readonly #report: (error: unknown) => void;
  readonly #retry = new RetryDelay(maxRetryDelayMs);
  readonly #waiting = new Set<Waiting>();
  #connection: Connection | null = null;
  #failure: ServiceError | null = null;
  #isStarted = false;
  #isClosed = false;
  #isBlocked = false;

  constructor(connect: () => Promise<Connection>, report: (error: unknown) => void) {
    this.#connect = connect;
    this.#report = report;
  }

  get isUp(): boolean {
    return this.#connection !== null;
  }

  /** Whether a connection was requested so far. */
  get isUsed(): boolean {
    return this.#isStarted;
  }

  /** Whether the broker is out of memory or disk and reads nothing from this connection. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** The open connection. Rejects if it cannot be opened within the limit, or not without a change of configuration. */
  connection(limitMs: number): Promise<Connection> {
    if (this.#isClosed) return Promise.reject(closed());
    if (this.#connection !== null) return Promise.resolve(this.#connection);
    if (this.#failure !== null && isMisconfigured(this.#failure)) return Promise.reject(this.#failure);
    void this.#start();
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        resolve: (connection) => {
          settle();
          resolve(connection);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      const timer = setTimeout(() => {
        waiting.reject(this.#failure ?? unavailable('did not answer within the time limit'));
      }, limitMs);
      this.#waiting.add(waiting);
    });
  }

  /** Resolves once the connection is open, or with the reason why the current attempt failed. */
  async attempt(): Promise<ServiceError | null> {
    if (this.#connection !== null) return null;
    const attempt = this.#start();
    await attempt;
    return this.#failure;
  }

  /** Drops a connection that does not answer, or that ended silently, so that a new one is opened. */
  drop(connection: Connection): void {
    destroy(connection);
    this.#lost(connection);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#retry.cancel();
    for (const { reject } of this.#waiting) reject(closed());
    const connection = this.#connection;
    if (connection === null) return;
    this.#connection = null;
    if (!(await endsWithin(closeLimitMs, closeGently(connection)))) destroy(connection);
  }

  #attempting: Promise<void> = Promise.resolve();

  #start(): Promise<void> {
    if (!this.#isStarted) {
      this.#isStarted = true;
      this.#attempting = this.#try();
    }
    return this.#attempting;
  }

  async #try(): Promise<void> {
    try {
      const connection = await this.#connect();
      // Without a listener the error would end the process. `close` reports the loss.
      connection.on('error', () => {});
      connection.on('blocked', () => (this.#isBlocked = true));
      connection.on('unblocked', () => (this.#isBlocked = false));
      if (this.#isClosed) return destroy(connection);
      this.#connection = connection;
      connection.once('close', (error?: Error) => this.#lost(connection, error));
      this.#failure = null;
      this.#retry.reset();
      for (const { resolve } of this.#waiting) resolve(connection);
    } catch (error) {
      const failure = failureOf(error);
      // One report per outage, not per attempt.
      if (this.#failure === null && !this.#isClosed) this.#report(failure);
      this.#failure = failure;
      if (isMisconfigured(failure)) for (const { reject } of this.#waiting) reject(failure);
      this.#tryLater();
    }
  }

  #lost(connection: Connection, error?: Error): void {
    if (this.#connection !== connection) return;
    this.#connection = null;
    this.#isBlocked = false;
    this.#failure = unavailable('closed the connection', error);
    this.#report(this.#failure);
    this.#tryLater();
  }

  #tryLater(): void {
    if (this.#isClosed) return;
    this.#attempting = this.#retry.wait().then(() => (this.#isClosed ? undefined : this.#try()));
  }
}
