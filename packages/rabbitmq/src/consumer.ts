import { type ServiceError } from '@svc/core';
import { RetryDelay, type Subscription } from '@svc/core/transport';
import type { Channel } from 'amqplib';
import { endsWithin, type Connection } from './connect.js';
import { ConsumerSession } from './consumer-session.js';
import { closed, failureOf, hasEnded, unavailable } from './failures.js';
import type { Link } from './link.js';

/** How the messages of a queue are taken. */
export interface Taking {
  /** The most messages that may be on their way to this host, or in its hands. */
  readonly prefetch: number;
  /** Declares the queue and everything around it, and says what it is called. */
  declare(channel: Channel, connection: Connection): Promise<string>;
  /** Takes what comes until the session ends. What is under way then does not hold up the next session, unless the order asks for it. */
  takeAll(session: ConsumerSession): Promise<void>;
  /** Resolves once nothing is under way, or when that takes too long. There is no other session after that. */
  finish(): Promise<void>;
}

/** Who is told of what becomes of a consumer. */
export interface ConsumerListeners {
  readonly report: (error: unknown) => void;
  readonly closed: () => void;
}

const longestPauseMs = 5_000;
/** A broker that takes longer to let a session end is gone. */
const answerLimitMs = 5_000;
/** A subscription waits for the broker as long as it takes. */
const noLimitMs = 2 ** 31 - 1;

/** Takes the messages of one queue, in sessions: a new one whenever the last one was lost. */
export class Consumer implements Subscription {
  readonly #link: Link;
  readonly #taking: Taking;
  readonly #report: (error: unknown) => void;
  readonly #onClosed: () => void;
  readonly #reconnecting = new RetryDelay(longestPauseMs);
  #session: ConsumerSession | null = null;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;
  #endWaiting: () => void = () => {};

  constructor(link: Link, taking: Taking, { report, closed: onClosed }: ConsumerListeners) {
    this.#link = link;
    this.#taking = taking;
    this.#report = report;
    this.#onClosed = onClosed;
  }

  get isUp(): boolean {
    return this.#session?.isOpen ?? false;
  }

  /** Resolves once messages come in, or with why they do not; which goes on being tried. A broker that is away is not waited for. */
  start(): Promise<ServiceError | null> {
    return new Promise((resolve) => {
      this.#running = this.#run(resolve);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#reconnecting.cancel();
    this.#endWaiting();
    const session = this.#session;
    if (session !== null) await this.#answered(session, session.close());
    await this.#running;
    this.#onClosed();
  }

  async #run(started: (failure: ServiceError | null) => void): Promise<void> {
    let reported = false;
    while (!this.#isClosed) {
      // It may have been lost since it was there. The link has told of it.
      if (!this.#link.isUp) started(unavailable('cannot be reached'));
      try {
        this.#session = await this.#open();
        // It may have been closed in the very moment.
        if (this.#isClosed) await this.#answered(this.#session, this.#session.close());
        started(null);
        reported = false;
        this.#reconnecting.reset();
        await this.#taking.takeAll(this.#session);
        // What is under way may still be done with, while the session is there.
        if (this.#isClosed) await this.#taking.finish();
        await this.#answered(this.#session, this.#session.end());
        // Losing the connection is told by the link.
        if (this.#session.lastWords !== null) this.#report(failureOf(this.#session.lastWords));
      } catch (error) {
        const failure = failureOf(error);
        started(failure);
        if (!reported && !this.#isClosed) this.#report(failure);
        reported = true;
      }
      this.#session = null;
      await this.#reconnecting.wait();
    }
    started(null);
    await this.#taking.finish();
  }

  async #open(): Promise<ConsumerSession> {
    const ended = new Promise<never>((_, reject) => (this.#endWaiting = () => reject(closed())));
    return await Promise.race([this.#openSession(), ended]);
  }

  async #openSession(): Promise<ConsumerSession> {
    const connection = await this.#link.connection(noLimitMs);
    const session = await ConsumerSession.open(connection, this.#taking).catch((error: unknown) => {
      if (hasEnded(error)) this.#link.drop(connection);
      throw error;
    });
    if (!this.#isClosed) return session;
    // Nobody waits for it any more.
    await session.end();
    throw closed();
  }

  /** Waits for what a session has asked of the broker. */
  async #answered({ connection }: ConsumerSession, asked: Promise<void>): Promise<void> {
    if (!(await endsWithin(answerLimitMs, asked))) this.#link.drop(connection);
  }
}
