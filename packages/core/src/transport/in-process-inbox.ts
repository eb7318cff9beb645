import { ConcurrentCommands, defaultCommandsAtOnce } from './concurrent-commands.js';
import type { ReceiveCommand, ReceivedMessage, Subscription, UnprocessableMessage } from './transport.js';

/** The inbox of a host name in one process. Each command goes to one of the hosts that have opened it. */
export class InProcessInbox {
  readonly #waiting: ReceivedMessage[] = [];
  readonly #consumers = new Set<ConcurrentCommands>();
  readonly #deadLetter: (unprocessable: UnprocessableMessage) => void;

  constructor(deadLetter: (unprocessable: UnprocessableMessage) => void) {
    this.#deadLetter = deadLetter;
  }

  add(command: ReceivedMessage): void {
    this.#waiting.push(command);
    this.#handOver();
  }

  open(receive: ReceiveCommand): Subscription {
    const consumer = new ConcurrentCommands(receive);
    this.#consumers.add(consumer);
    this.#handOver();
    const consumers = this.#consumers;
    return {
      get isUp() {
        return consumers.has(consumer);
      },
      close: async () => {
        consumers.delete(consumer);
        await consumer.close();
      },
    };
  }

  /** Resolves once all commands are processed. */
  async handedOver(): Promise<void> {
    while (
      this.#consumers.size > 0 &&
      (this.#waiting.length > 0 || [...this.#consumers].some(({ size }) => size > 0))
    ) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #handOver(): void {
    while (this.#waiting.length > 0) {
      const [consumer] = [...this.#consumers].toSorted((a, b) => a.size - b.size);
      if (consumer === undefined || consumer.size >= defaultCommandsAtOnce) return;
      void this.#give(this.#waiting.shift()!, consumer);
    }
  }

  async #give(message: ReceivedMessage, consumer: ConcurrentCommands): Promise<void> {
    const outcome = await consumer.take(message);
    // Its host closed the inbox before the command was processed: another host gets it.
    if (outcome === false) this.#waiting.unshift(message);
    else if (outcome !== true) this.#deadLetter({ message, cause: outcome });
    this.#handOver();
  }
}
