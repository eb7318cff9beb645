import { type ServiceError } from '@svc/core';
import { RetryDelay, type Subscription } from '@svc/core/transport';
import { endsWithin } from './connect.js';
import { ConsumerSession, type SessionQueue } from './consumer-session.js';
import { closed, failureOf, hasEnded, unavailable } from './failures.js';
import type { Link } from './link.js';

/** Processes the messages of one queue. */
export interface QueueHandler extends SessionQueue {
  /** Processes messages until the session ends. Messages in progress do not delay the next session unless order requires it. */
  processMessages(session: ConsumerSession): Promise<void>;
  /** Resolves once no message is in progress, or after a time limit. No session follows. */
  finish(): Promise<void>;
}

/** Callbacks of a consumer. */
export interface ConsumerListeners {
  readonly report: (error: unknown) => void;
  readonly closed: () => void;
}

const maxRetryDelayMs = 5_000;
/** A broker that takes longer to close a session is considered gone. */
const answerLimitMs = 5_000;
/** A subscription waits for the broker without a limit. */
const noLimitMs = 2 ** 31 - 1;

/** Consumes one queue in sessions. A lost session is followed by a new one. */
export class Consumer implements Subscription {
  readonly #link: Link;
  readonly #handler: QueueHandler;
  readonly #report: (error: unknown) => void;
  readonly #onClosed: () => void;
  readonly #reconnecting = new RetryDelay(maxRetryDelayMs);
  #session: ConsumerSession | null = null;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;
  #endWaiting: () => void = () => {};

  constructor(link: Link, handler: QueueHandler, { report, closed: onClosed }: ConsumerListeners) {
    this.#link = link;
    this.#handler = handler;
    this.#report = report;
    this.#onClosed = onClosed;
  }

  get isUp(): boolean {
    return this.#session?.isOpen ?? false;
  }

  /** Resolves once messages are delivered, or with the reason why not yet; it keeps retrying. It does not wait for an unreachable broker. */
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
      // The connection may have been lost since it was opened. The link has reported that.
      if (!this.#link.isUp) started(unavailable('is unreachable'));
      try {
        this.#session = await this.#open();
        // The consumer may have been closed at the same moment.
        if (this.#isClosed) await this.#answered(this.#session, this.#session.close());
        started(null);
        reported = false;
        this.#reconnecting.reset();
        await this.#handler.processMessages(this.#session);
        // Messages in progress can still be acknowledged while the session is open.
        if (this.#isClosed) await this.#handler.finish();
        await this.#answered(this.#session, this.#session.end());
        // The link reports a lost connection.
        if (this.#session.closeError !== null) this.#report(failureOf(this.#session.closeError));
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
    await this.#handler.finish();
  }

  async #open(): Promise<ConsumerSession> {
    const ended = new Promise<never>((_, reject) => (this.#endWaiting = () => reject(closed())));
    return await Promise.race([this.#openSession(), ended]);
  }

  async #openSession(): Promise<ConsumerSession> {
    const connection = await this.#link.connection(noLimitMs);
    const session = await ConsumerSession.open(connection, this.#handler).catch((error: unknown) => {
      if (hasEnded(error)) this.#link.drop(connection);
      throw error;
    });
    if (!this.#isClosed) return session;
    // The caller no longer waits for it.
    await session.end();
    throw closed();
  }

  /** Waits for an answer of the broker. */
  async #answered({ connection }: ConsumerSession, pending: Promise<void>): Promise<void> {
    if (!(await endsWithin(answerLimitMs, pending))) this.#link.drop(connection);
  }
}
