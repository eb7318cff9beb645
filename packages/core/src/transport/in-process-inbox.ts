import { CommandTurns, defaultCommandsAtOnce } from './command-turns.js';
import type { ReceiveCommand, Subscription, TransportMessage } from './transport.js';

/** The inbox of one host name inside one process: commands wait in it, and go to one of those who have opened it. */
export class InProcessInbox {
  readonly #waiting: TransportMessage[] = [];
  readonly #takers = new Set<CommandTurns>();

  add(command: TransportMessage): void {
    this.#waiting.push(command);
    this.#handOver();
  }

  open(receive: ReceiveCommand): Subscription {
    const turns = new CommandTurns(receive);
    this.#takers.add(turns);
    this.#handOver();
    const takers = this.#takers;
    return {
      get isUp() {
        return takers.has(turns);
      },
      close: async () => {
        takers.delete(turns);
        await turns.close();
      },
    };
  }

  /** Resolves once everything has been handed over. */
  async handedOver(): Promise<void> {
    while (this.#takers.size > 0 && (this.#waiting.length > 0 || [...this.#takers].some(({ size }) => size > 0))) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #handOver(): void {
    while (this.#waiting.length > 0) {
      const [taker] = [...this.#takers].toSorted((a, b) => a.size - b.size);
      if (taker === undefined || taker.size >= defaultCommandsAtOnce) return;
      void this.#give(this.#waiting.shift()!, taker);
    }
  }

  async #give(command: TransportMessage, taker: CommandTurns): Promise<void> {
    // What was not done with when its taker went is for another one.
    if (!(await taker.take(command))) this.#waiting.unshift(command);
    this.#handOver();
  }
}
