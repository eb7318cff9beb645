import { type Uuid } from '@svc/core';
import { OutgoingSignal } from '@svc/core/storage';
import type { ClientConfig } from 'pg';
import { Notifications } from './notifications.js';
import type { Asking } from './reader.js';

export interface Heard {
  /** Told when leases may have been given back. */
  readonly offered: () => void;
  /** Told when an operator may have asked for something. */
  readonly asked: () => void;
}

/**
 * How a service learns that there is something to do: what other hosts say, and polls as the safety net. Whoever uses the storage alone
 * wants to be told of nothing, and has no connection but those that come and go.
 */
export class Listening {
  readonly #outgoing: OutgoingSignal;
  readonly #notifications: Notifications;
  #isWanted = false;
  #starting: Promise<void> | undefined;

  constructor(config: ClientConfig, self: Uuid, pollMs: number, { offered, asked }: Heard) {
    this.#outgoing = new OutgoingSignal(pollMs);
    this.#notifications = new Notifications(config, self, () => this.#outgoing.raise(), offered, asked);
  }

  add(listener: () => void): void {
    this.#outgoing.add(listener);
    this.#isWanted = true;
  }

  /** Begins once somebody wants to be told; resolves when it was tried to connect. */
  async start(): Promise<void> {
    if (this.#isWanted) await (this.#starting ??= this.#start());
  }

  /** The connection that listens, for questions that have to be asked of one that is there; null when there is to be none. */
  get connection(): Asking | null {
    return this.#isWanted ? this.#notifications : null;
  }

  /** Nobody is told of anything from now on. */
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
