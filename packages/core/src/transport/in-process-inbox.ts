import { CommandTurns, defaultCommandsAtOnce } from './command-turns.js';
import type { ReceiveCommand, ReceivedMessage, Refusal, Subscription } from './transport.js';

/** The inbox of one host name inside one process: commands wait in it, and go to one of those who have opened it. */
export class InProcessInbox {
  readonly #waiting: ReceivedMessage[] = [];
  readonly #takers = new Set<CommandTurns>();
  readonly #putAside: (refusal: Refusal) => void;

  constructor(putAside: (refusal: Refusal) => void) {
    this.#putAside = putAside;
  }

  add(command: ReceivedMessage): void {
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

  async #give(message: ReceivedMessage, taker: CommandTurns): Promise<void> {
    const outcome = await taker.take(message);
    // What was not done with when its taker went is for another one.
    if (outcome === false) this.#waiting.unshift(message);
    else if (outcome !== true) this.#putAside({ message, cause: outcome });
    this.#handOver();
  }
}
