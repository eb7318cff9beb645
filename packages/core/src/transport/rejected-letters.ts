import { createHash } from 'node:crypto';
import type { Uuid } from '../json/index.js';
import { hashedId, scopeText, type MessageRegistry } from '../messages/index.js';
import {
  MessageSettledError,
  StorageUnavailableError,
  type DeadLetterCause,
  type EventLog,
  type OutgoingRecord,
} from '../storage/index.js';
import { deadLetterOf } from './dead-lettering.js';
import { MessageRejectedError, rejectionCauses } from './message-rejected-error.js';
import type { RejectedMessage, RejectionTally } from './rejection-tally.js';
import { signedText } from './signed-text.js';
import type { ReceivedMessage, UnprocessableMessage } from './transport.js';

/** How many rejected messages a database stores: a client that can publish must not be able to fill it. */
export const mostRejectedLetters = 10_000;
/** The largest rejected message that is stored, in bytes of body, scope and metadata. */
export const largestRejectedBytes = 65_536;
/** How long a count of the dead letters is cached: other hosts and operators change it. */
export const recountMs = 10_000;

/** A message that was not admitted. */
export interface Rejection extends UnprocessableMessage {
  readonly cause: MessageRejectedError;
}

/** A message that no dead letter can store, because of what it contains. */
export interface Unstorable extends UnprocessableMessage {
  readonly deadLetterCause: DeadLetterCause;
  /** Why it cannot be stored. */
  readonly failure: Error;
}

export function isRejected(unprocessable: UnprocessableMessage): unprocessable is Rejection {
  return unprocessable.cause instanceof MessageRejectedError;
}

/**
 * Stores rejected messages as dead letters, limited in number and size. The rest is left to the broker. The id of a rejected message is not
 * recorded as received: a forged message would block the genuine one with that id.
 */
export class RejectedLetters {
  readonly #log: EventLog;
  readonly #messages: MessageRegistry;
  readonly #tally: RejectionTally;
  #count = 0;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(log: EventLog, messages: MessageRegistry, tally: RejectionTally) {
    this.#log = log;
    this.#messages = messages;
    this.#tally = tally;
  }

  /** Resolves with the messages that are left to the broker: some rejected ones, and all that cannot be stored. It counts both. */
  async store(
    rejections: readonly Rejection[],
    unstorable: readonly Unstorable[] = [],
  ): Promise<readonly UnprocessableMessage[]> {
    const rejected = [
      ...rejections.map((one) => rejectedMessage(one, this.#messages)),
      ...unstorable.map((one) => unstorableMessage(one, this.#messages)),
    ];
    const distinct = new Map(rejected.flatMap((one) => (one.id === null ? [] : [[one.id, one] as const])));
    try {
      const room = distinct.size === 0 ? 0 : await this.#room(distinct.size);
      const stored = await this.#commit([...distinct.values()].slice(0, room), this.#tally.opening(rejected));
      this.#tally.add(rejected);
      return [...rejections, ...unstorable].filter((_, i) => !stored.has(rejected[i]!.id));
    } catch (error) {
      // They are delivered again, and must not be counted twice.
      this.#countedAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#tally.close();
  }

  /** Stores all of them in one commit. If that fails, stores them one by one, so that a bad record fails alone. */
  async #commit(some: readonly Rejected[], outgoing: readonly OutgoingRecord[]): Promise<ReadonlySet<Uuid | null>> {
    if (some.length === 0 && outgoing.length === 0) return new Set();
    try {
      await this.#write(some, outgoing);
      return new Set(some.map(({ id }) => id));
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error;
      const [isStored] = await Promise.all([
        Promise.all(some.map((one) => this.#writeAlone([one], []))),
        this.#writeAlone([], outgoing),
      ]);
      return new Set(some.filter((_, i) => isStored[i]).map(({ id }) => id));
    }
  }

  async #writeAlone(some: readonly Rejected[], outgoing: readonly OutgoingRecord[]): Promise<boolean> {
    try {
      await this.#write(some, outgoing);
      return true;
    } catch (error) {
      if (error instanceof StorageUnavailableError) throw error;
      // It is already stored, but the broker did not receive the acknowledgement. Any other failure is left to the broker.
      return error instanceof MessageSettledError;
    }
  }

  async #write(some: readonly Rejected[], outgoing: readonly OutgoingRecord[]): Promise<void> {
    const received = some.map(({ id }) => id!);
    const deadLetters = some.map(({ letter }) => letter);
    await this.#log.commit({ events: [], outgoing, delivered: null, received, deadLetters });
  }

  /** How many of `wanted` messages may be stored. */
  async #room(wanted: number): Promise<number> {
    if (Date.now() - this.#countedAt >= recountMs) {
      this.#count = await this.#log.countDeadLetters(rejectionCauses, mostRejectedLetters);
      this.#countedAt = Date.now();
    }
    const room = Math.min(wanted, Math.max(0, mostRejectedLetters - this.#count));
    this.#count += room;
    return room;
  }
}

/** A rejected message, and the id under which it is stored; null: it is too large to store, or cannot be stored. */
interface Rejected extends RejectedMessage {
  readonly id: Uuid | null;
}

function rejectedMessage({ message, cause: error }: Rejection, messages: MessageRegistry): Rejected {
  const { rejectionCause: cause } = error;
  const firstFailedAt = Date.now();
  return {
    id: isSmall(message) ? rejectionIdOf(message) : null,
    letter: deadLetterOf({ direction: 'incoming', message, cause, error, attempts: 1, firstFailedAt }, messages),
    error,
  };
}

function unstorableMessage(one: Unstorable, messages: MessageRegistry): Rejected {
  const { message, cause: error, attempts = 1, deadLetterCause: cause, failure } = one;
  const firstFailedAt = Date.now();
  const letter = deadLetterOf({ direction: 'incoming', message, cause, error, attempts, firstFailedAt }, messages);
  return { id: null, letter, error: failure };
}

function isSmall({ body, scope, metadata }: ReceivedMessage): boolean {
  const rest = (scope === null ? '' : scopeText(scope)) + JSON.stringify(metadata);
  return Buffer.byteLength(body) + Buffer.byteLength(rest) <= largestRejectedBytes;
}

/** The id that is recorded for a rejected message, so that its dead letter is stored once. */
export function rejectionIdOf(message: ReceivedMessage): Uuid {
  const { provenOrigin, routedType, signature } = message;
  const arrival = JSON.stringify([provenOrigin, routedType, signature]);
  const hash = createHash('sha256').update('svc-rejected-message-1').update(arrival).update(signedText(message));
  return hashedId(hash);
}
