import type { Uuid, Writer } from '../json/index.js';
import type { MessageClass } from '../messages/index.js';
import { IdempotencyKeyInUseError, type IdempotencyRecord } from '../storage/index.js';

/** A request with an idempotency key. The dispatcher commits the result of its command together with the command's changes. */
export class IdempotencyClaim {
  readonly #command: MessageClass;
  readonly #id: string;
  readonly #requestHash: string;
  readonly #write: Writer<unknown>;
  #isOpen = false;
  #isTaken = false;
  #reached = false;
  #lost = false;
  #attempt: number;

  /** `attempt`: the number of the next attempt; earlier requests with the key may have failed. */
  constructor(command: MessageClass, id: string, requestHash: string, write: Writer<unknown>, attempt: number) {
    this.#command = command;
    this.#id = id;
    this.#requestHash = requestHash;
    this.#write = write;
    this.#attempt = attempt;
  }

  /** Whether a dispatcher has run a command for it. Otherwise no result can be stored under the key. */
  get isReached(): boolean {
    return this.#reached;
  }

  /** Whether another request has committed its command under the key. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** The number of the current or next attempt to run the command. */
  get attempt(): number {
    return this.#attempt;
  }

  /** From now on a command can take the claim. Commands that hooks run before the command of the request are not stored under its key. */
  open(): void {
    this.#isOpen = true;
  }

  /** The claim for the first command of its class; undefined for every other command that runs during that one. */
  takenBy(command: object): this | undefined {
    if (!this.#isOpen || this.#isTaken || command.constructor !== this.#command) return undefined;
    this.#isTaken = this.#reached = true;
    return this;
  }

  /**
   * Releases the claim of a command that failed, so that a retry for the same request uses the key as well. If the first command was
   * committed after all, the key rejects the second.
   */
  giveBack(): void {
    this.#isTaken = false;
    this.#attempt++;
  }

  record(messageId: Uuid, response: unknown): IdempotencyRecord {
    return { id: this.#id, requestHash: this.#requestHash, messageId, result: this.#write(response) };
  }

  isLostBy(error: unknown): boolean {
    return (this.#lost ||= error instanceof IdempotencyKeyInUseError);
  }
}
