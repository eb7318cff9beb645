import type { Uuid, Writer } from '../json/index.js';
import type { MessageClass } from '../messages/index.js';
import { IdempotencyKeyInUseError, type IdempotencyRecord } from '../storage/index.js';

/** What a request under an idempotency key asks for: that the result of its command is kept with what the command changes. */
export class IdempotencyClaim {
  readonly #command: MessageClass;
  readonly #id: string;
  readonly #requestHash: string;
  readonly #write: Writer<unknown>;
  #open = false;
  #taken = false;
  #reached = false;
  #lost = false;
  #attempt: number;

  /** `attempt`: which one is next; earlier requests under the key may have failed. */
  constructor(command: MessageClass, id: string, requestHash: string, write: Writer<unknown>, attempt: number) {
    this.#command = command;
    this.#id = id;
    this.#requestHash = requestHash;
    this.#write = write;
    this.#attempt = attempt;
  }

  /** Whether a dispatcher has run a command for it: otherwise nothing can be kept under the key. */
  get isReached(): boolean {
    return this.#reached;
  }

  /** Whether somebody else's command was kept under the key meanwhile. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Which attempt to run the command is under way, or comes next. */
  get attempt(): number {
    return this.#attempt;
  }

  /** From here on a command can take it: what hooks run before the command of the request is not under its key. */
  open(): void {
    this.#open = true;
  }

  /** The claim itself for the first command of its class; undefined for every other that is run while that one has it. */
  takenBy(command: object): this | undefined {
    if (!this.#open || this.#taken || command.constructor !== this.#command) return undefined;
    this.#taken = this.#reached = true;
    return this;
  }

  /**
   * For the command that had it and failed: whoever tries again for the same request does so under the key, too. When the first was
   * kept after all, or somebody else's, the key refuses the second.
   */
  giveBack(): void {
    this.#taken = false;
    this.#attempt++;
  }

  record(messageId: Uuid, response: unknown): IdempotencyRecord {
    return { id: this.#id, requestHash: this.#requestHash, messageId, result: this.#write(response) };
  }

  isLostBy(error: unknown): boolean {
    return (this.#lost ||= error instanceof IdempotencyKeyInUseError);
  }
}
