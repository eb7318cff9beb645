import { MessageSettledError, type EventLog, type OutboxLane, type StoredOutgoing } from '../storage/index.js';
import { RetryDelay } from './retry-delay.js';

/** Delivers messages, and keeps that they are delivered, as one record. */
export type Deliver = (messages: readonly StoredOutgoing[]) => void | Promise<void>;

const batchSize = 500;

/** Takes the messages of one lane out of the outbox in their order, in batches. A batch that fails is tried again until it goes. */
export class OutboxWorker {
  readonly #log: EventLog;
  readonly #lane: OutboxLane;
  readonly #deliver: Deliver;
  readonly #report: (error: unknown) => void;
  readonly #retry = new RetryDelay();
  #work: Promise<void> | null = null;
  #wokenAgain = false;
  #stopped = false;

  constructor(log: EventLog, lane: OutboxLane, deliver: Deliver, report: (error: unknown) => void) {
    this.#log = log;
    this.#lane = lane;
    this.#deliver = deliver;
    this.#report = report;
  }

  /** There may be something to do. */
  wake(): void {
    // The batch under way may have been read before.
    this.#wokenAgain = true;
    if (this.#stopped || this.#work !== null) return;
    this.#work = this.#run().finally(() => (this.#work = null));
  }

  /** Resolves once nothing is left to deliver. */
  async idle(): Promise<void> {
    while (this.#work !== null) await this.#work;
  }

  /** Resolves once the batch under way is done. What is left waits for the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#retry.cancel();
    await this.idle();
  }

  async #run(): Promise<void> {
    // Whatever happens in this turn of the event loop goes together.
    await new Promise((resolve) => setImmediate(resolve));
    let more = true;
    while (!this.#stopped && (more || this.#wokenAgain)) {
      this.#wokenAgain = false;
      more = await this.#deliverBatch();
    }
  }

  /** Whether there may be more. */
  async #deliverBatch(): Promise<boolean> {
    try {
      const messages = await this.#log.readOutgoing(this.#lane, batchSize);
      if (messages.length === 0) return false;
      await this.#deliver(messages);
      this.#retry.reset();
    } catch (error) {
      // Somebody else was faster: what is left is read again.
      if (error instanceof MessageSettledError) return true;
      this.#report(error);
      await this.#retry.wait();
    }
    return true;
  }
}
