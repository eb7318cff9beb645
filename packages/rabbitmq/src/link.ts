import { type ServiceError } from '@svc/core';
import { RetryDelay } from '@svc/core/transport';
import { closeGently, destroy, endsWithin, type Connection } from './connect.js';
import { closed, failureOf, isMisconfigured, unavailable } from './failures.js';

const longestPauseMs = 5_000;
const closeLimitMs = 2_000;

interface Waiting {
  readonly resolve: (connection: Connection) => void;
  readonly reject: (error: ServiceError) => void;
}

/** One connection to the broker, made when it is first needed and made anew whenever it is lost, until the link is closed. */
export class Link {
  readonly #connect: () => Promise<Connection>;
  readonly #report: (error: unknown) => void;
  readonly #retry = new RetryDelay(longestPauseMs);
  readonly #waiting = new Set<Waiting>();
  #connection: Connection | null = null;
  #failure: ServiceError | null = null;
  #isKept = false;
  #isClosed = false;
  #isBlocked = false;

  constructor(connect: () => Promise<Connection>, report: (error: unknown) => void) {
    this.#connect = connect;
    this.#report = report;
  }

  get isUp(): boolean {
    return this.#connection !== null;
  }

  /** Whether a connection was asked for so far. */
  get isUsed(): boolean {
    return this.#isKept;
  }

  /** The broker has no memory or disk left, and reads nothing from this connection. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** The connection, once it is there; rejects when it is not within the limit, or cannot be without a change. */
  connection(limitMs: number): Promise<Connection> {
    if (this.#isClosed) return Promise.reject(closed());
    if (this.#connection !== null) return Promise.resolve(this.#connection);
    if (this.#failure !== null && isMisconfigured(this.#failure)) return Promise.reject(this.#failure);
    void this.#keep();
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
        waiting.reject(this.#failure ?? unavailable('did not answer in time'));
      }, limitMs);
      this.#waiting.add(waiting);
    });
  }

  /** Resolves once the connection is there, or with why the attempt under way came to nothing. */
  async attempt(): Promise<ServiceError | null> {
    if (this.#connection !== null) return null;
    const attempt = this.#keep();
    await attempt;
    return this.#failure;
  }

  /** Gives up a connection that does not answer, or has ended without a word, so that a new one is made. */
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

  #keep(): Promise<void> {
    if (!this.#isKept) {
      this.#isKept = true;
      this.#attempting = this.#try();
    }
    return this.#attempting;
  }

  async #try(): Promise<void> {
    try {
      const connection = await this.#connect();
      // Without a listener, losing it would end the process. What is lost is told by `close`.
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
      // One report for an outage; it is tried many times.
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
    this.#failure = unavailable('ended the connection', error);
    this.#report(this.#failure);
    this.#tryLater();
  }

  #tryLater(): void {
    if (this.#isClosed) return;
    this.#attempting = this.#retry.wait().then(() => (this.#isClosed ? undefined : this.#try()));
  }
}
