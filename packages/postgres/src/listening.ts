import { type Uuid } from '@svc/core';
import { OutgoingSignal } from '@svc/core/storage';
import type { Client } from 'pg';
import { Notifications, type NotificationHandlers } from './notifications.js';
import type { Queryable } from './reader.js';

/**
 * How a service learns that there is work: notifications of other hosts, and polls in case one is lost. Without a listener there is no
 * connection for notifications.
 */
export class Listening {
  readonly #outgoing: OutgoingSignal;
  readonly #notifications: Notifications;
  #isWanted = false;
  #starting: Promise<void> | undefined;

  constructor(newClient: () => Client, self: Uuid, pollMs: number, handlers: NotificationHandlers) {
    this.#outgoing = new OutgoingSignal(pollMs);
    this.#notifications = new Notifications(newClient, self, () => this.#outgoing.raise(), handlers);
  }

  add(listener: () => void): void {
    this.#outgoing.add(listener);
    this.want();
  }

  /** From now on there is a listener, be it for released leases alone. */
  want(): void {
    this.#isWanted = true;
  }

  /** Connects if there is a listener. Resolves after the first attempt, successful or not. */
  async start(): Promise<void> {
    if (this.#isWanted) await (this.#starting ??= this.#start());
  }

  /** The connection that listens, for statements that must not open a connection; null if there is no listener. */
  get connection(): Queryable | null {
    return this.#isWanted ? this.#notifications : null;
  }

  /** Calls no listener from now on. */
  stop(): void {
    this.#isWanted = false;
    this.#outgoing.stop();
  }

  close(): Promise<void> {
    return this.#notifications.close();
  }

  #start(): Promise<void> {
    this.#outgoing.start();
    return this.#notifications.start();
  }
}
