import { CommandTurns, defaultCommandsAtOnce } from './command-turns.js';
import type { ReceiveCommand, ReceivedMessage, Refusal, Subscription } from './transport.js';

/** The inbox of a host name in one process. Each command goes to one of the hosts that have opened it. */
export class InProcessInbox {
  readonly #waiting: ReceivedMessage[] = [];
  readonly #takers = new Set<CommandTurns>();
  readonly #deadLetter: (refusal: Refusal) => void;

  constructor(deadLetter: (refusal: Refusal) => void) {
    this.#deadLetter = deadLetter;
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

  /** Resolves once all commands are processed. */
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
    // Its host closed the inbox before the command was processed: another host gets it.
    if (outcome === false) this.#waiting.unshift(message);
    else if (outcome !== true) this.#deadLetter({ message, cause: outcome });
    this.#handOver();
  }
}
