import type { Uuid, Writer } from '../json/index.js';
import type { MessageClass } from '../messages/index.js';
import { IdempotencyKeyInUseError, type IdempotencyRecord } from '../storage/index.js';
import type { Cancellation } from './cancellation.js';

/** What a request under an idempotency key asks for: that the result of its command is kept with what the command changes. */
export class IdempotencyClaim {
  readonly #command: MessageClass;
  readonly #id: string;
  readonly #requestHash: string;
  readonly #write: Writer<unknown>;
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

  /** The claim itself for the first command of its class; undefined for every other that is run while that one has it. */
  takenBy(command: object): this | undefined {
    if (this.#taken || command.constructor !== this.#command) return undefined;
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

const carried = new WeakMap<object, IdempotencyClaim>();
let anyCarried = false;

/**
 * Lets a claim go through a hook with all that the hook is given of the request: it may put a signal with a time-out in the place of the one, or
 * a copy in the place of the other.
 */
export function carryClaim(command: object, signal: AbortSignal, claim: IdempotencyClaim): void {
  carried.set(command, claim);
  carried.set(signal, claim);
  anyCarried = true;
}

export function claimCarriedBy(command: object, signal: Cancellation): IdempotencyClaim | undefined {
  return anyCarried ? (carried.get(command) ?? carried.get(signal)) : undefined;
}
