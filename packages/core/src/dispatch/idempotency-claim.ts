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
  #lost = false;

  constructor(command: MessageClass, id: string, requestHash: string, write: Writer<unknown>) {
    this.#command = command;
    this.#id = id;
    this.#requestHash = requestHash;
    this.#write = write;
  }

  /** Whether somebody else's command was kept under the key meanwhile. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** The claim itself for the first command of its class; undefined for every other that is run while that one has it. */
  takenBy(command: object): this | undefined {
    if (this.#taken || command.constructor !== this.#command) return undefined;
    this.#taken = true;
    return this;
  }

  /**
   * For the command that had it and failed: whoever tries again for the same request does so under the key, too. When the first was
   * kept after all, or somebody else's, the key refuses the second.
   */
  giveBack(): void {
    this.#taken = false;
  }

  record(messageId: Uuid, response: unknown): IdempotencyRecord {
    return { id: this.#id, requestHash: this.#requestHash, messageId, result: this.#write(response) };
  }

  isLostBy(error: unknown): boolean {
    return (this.#lost ||= error instanceof IdempotencyKeyInUseError);
  }
}

const carried = new WeakMap<Cancellation, IdempotencyClaim>();
let anyCarried = false;

/** Lets a claim go with the signal of its request: through a hook that is given nothing else of it. */
export function carryingClaim(signal: AbortSignal, claim: IdempotencyClaim): AbortSignal {
  carried.set(signal, claim);
  anyCarried = true;
  return signal;
}

export function claimCarriedBy(signal: Cancellation): IdempotencyClaim | undefined {
  return anyCarried ? carried.get(signal) : undefined;
}
