import { createHash } from 'node:crypto';
import { uuid, type Uuid } from '../json/index.js';
import { scopeText } from '../messages/index.js';
import { MessageSettledError, StorageUnavailableError, type EventLog, type OutgoingRecord } from '../storage/index.js';
import { deadLetterOf } from './dead-lettering.js';
import { MessageRejectedError, rejectionCauses } from './message-rejected-error.js';
import type { RejectedMessage, RejectionTally } from './rejection-tally.js';
import { signedText } from './signed-text.js';
import type { ReceivedMessage, Refusal } from './transport.js';

/** How many rejected messages a database holds: a client that can publish must not be able to fill it. */
export const mostRejectedLetters = 10_000;
/** The largest rejected message that is stored, in bytes of body, scope and metadata. */
export const largestRejectedBytes = 65_536;
/** How long a count of the letters is used: other hosts and operators change it. */
export const recountMs = 10_000;

/** A message that the guard did not admit. */
export interface Rejection extends Refusal {
  readonly cause: MessageRejectedError;
}

export function isRejected(refusal: Refusal): refusal is Rejection {
  return refusal.cause instanceof MessageRejectedError;
}

/**
 * Stores rejected messages as dead letters, up to a bound for all of them and for each. The broker retains the rest. The id of a
 * rejected message is not noted as received: a forged one would shut out the real one of that id.
 */
export class RejectedLetters {
  readonly #log: EventLog;
  readonly #tally: RejectionTally;
  #count = 0;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(log: EventLog, tally: RejectionTally) {
    this.#log = log;
    this.#tally = tally;
  }

  /** Resolves with those that are left to the broker. */
  async store(rejections: readonly Rejection[]): Promise<readonly Rejection[]> {
    if (rejections.length === 0) return [];
    const rejected = rejections.map(rejectedMessage);
    const distinct = new Map(rejected.flatMap((one) => (one.id === null ? [] : [[one.id, one] as const])));
    try {
      const room = distinct.size === 0 ? 0 : await this.#room(distinct.size);
      const stored = await this.#commit([...distinct.values()].slice(0, room), this.#tally.opening(rejected));
      this.#tally.add(rejected);
      return rejections.filter((_, i) => !stored.has(rejected[i]!.id));
    } catch (error) {
      // They come again, and must not take up room twice.
      this.#countedAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#tally.close();
  }

  /** All of them as one record. When that fails, each by itself: one that came before, or cannot be stored, must not hold up the rest. */
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
      // It was stored before, and the broker has not heard of it. Anything else is left to the broker.
      return error instanceof MessageSettledError;
    }
  }

  async #write(some: readonly Rejected[], outgoing: readonly OutgoingRecord[]): Promise<void> {
    const received = some.flatMap(({ id }) => id ?? []);
    const deadLetters = some.map(({ letter }) => letter);
    await this.#log.commit({ events: [], outgoing, delivered: null, received, deadLetters });
  }

  /** How many more may be stored, of so many. */
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

/** A rejected message, and the id under which it is noted; null: it is too large to be stored. */
interface Rejected extends RejectedMessage {
  readonly id: Uuid | null;
}

function rejectedMessage({ message, cause: error }: Rejection): Rejected {
  const { rejectionCause: cause } = error;
  const firstFailedAt = Date.now();
  return {
    id: isSmall(message) ? rejectionIdOf(message) : null,
    letter: deadLetterOf({ direction: 'incoming', message, cause, error, attempts: 1, firstFailedAt }),
    error,
  };
}

function isSmall({ body, scope, metadata }: ReceivedMessage): boolean {
  // Such a text is too long in any encoding, which is known without counting its bytes.
  if (body.length > largestRejectedBytes) return false;
  const rest = (scope === null ? '' : scopeText(scope)) + JSON.stringify(metadata);
  return Buffer.byteLength(body) + Buffer.byteLength(rest) <= largestRejectedBytes;
}

/** The id under which a rejected message is noted (version 8), so that its letter is stored once. No message can have it. */
export function rejectionIdOf(message: ReceivedMessage): Uuid {
  const { provenOrigin, routedType, signature } = message;
  const arrival = JSON.stringify([provenOrigin, routedType, signature]);
  const hash = createHash('sha256').update('svc-rejected-message-1').update(arrival).update(signedText(message));
  const hex = hash.digest('hex');
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return uuid(groups.join('-'));
}
