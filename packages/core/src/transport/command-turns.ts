import { RetryDelay } from './retry-delay.js';
import type { ReceiveCommand, TransportMessage } from './transport.js';

/** How many commands a host handles side by side, unless its transport is told otherwise. */
export const defaultCommandsAtOnce = 32;

/** Hands over the commands that have come, side by side, and each again after a pause when it could not be taken. */
export class CommandTurns {
  readonly #receive: ReceiveCommand;
  readonly #waiting = new Set<RetryDelay>();
  readonly #underWay = new Set<Promise<boolean>>();
  #isClosed = false;

  constructor(receive: ReceiveCommand) {
    this.#receive = receive;
  }

  get size(): number {
    return this.#underWay.size;
  }

  /** Whether it is done with. It is not when the turns are closed before, or when it is nobody's to take any more. */
  take(message: TransportMessage, isHeld: () => boolean = () => true): Promise<boolean> {
    const taking = this.#take(message, isHeld).finally(() => this.#underWay.delete(taking));
    this.#underWay.add(taking);
    return taking;
  }

  /** Resolves once nothing is under way. What has failed is not tried again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const retry of this.#waiting) retry.cancel();
    await Promise.all(this.#underWay);
  }

  async #take(message: TransportMessage, isHeld: () => boolean): Promise<boolean> {
    const retry = new RetryDelay();
    this.#waiting.add(retry);
    try {
      while (!this.#isClosed && isHeld()) {
        try {
          await this.#receive(message);
          return true;
        } catch {
          // Whoever receives has told of it.
          await retry.wait();
        }
      }
      return false;
    } finally {
      this.#waiting.delete(retry);
    }
  }
}
