import { detached } from '../background/index.js';
import type { MessageRegistry } from '../messages/index.js';
import type { DeadLetterRecord, EventLog, OutgoingRecord } from '../storage/index.js';
import { isEnabled, outgoingSystemEvent, type SystemEventOptions } from '../system-events/index.js';
import { messageDeadLettered } from './dead-lettering.js';

/** Within this time, all rejected messages of one origin, cause and type after the first share one record. */
export const windowMs = 60_000;
/** Further kinds share one record per cause: senders choose names, and must not control the number of records. */
const mostKinds = 200;
const other = 'other';

/** What a `RejectionTally` consists of. */
export interface TallyParts {
  readonly log: EventLog;
  readonly messages: MessageRegistry;
  /** Null: no system events are emitted. */
  readonly options: SystemEventOptions | null;
  /** Whether a declaration names the host: all other hosts are counted together. */
  readonly isDeclared: (hostName: string) => boolean;
  readonly report: (error: unknown) => void;
}

/** A rejected message: its dead letter and its error. */
export interface RejectedMessage {
  readonly letter: DeadLetterRecord;
  readonly error: Error;
}

/** Rejected messages of one origin, cause and type since their last record. */
interface Kind {
  last: DeadLetterRecord;
  count: number;
}

/** Emits `MessageDeadLettered` for rejected messages: at once for the first of a kind, then once a minute with a count. */
export class RejectionTally {
  readonly #parts: TallyParts;
  readonly #kinds = new Map<string, Kind>();
  #timer: NodeJS.Timeout | undefined;
  /** Flushes run one after another, so that none counts what the previous one emits. */
  #flushing: Promise<void> = Promise.resolve();

  constructor(parts: TallyParts) {
    this.#parts = parts;
  }

  /** The system events for messages that are the first of their kind. */
  opening(rejected: readonly RejectedMessage[]): readonly OutgoingRecord[] {
    const opened = new Map<string, DeadLetterRecord>();
    for (const { letter } of rejected) {
      const key = this.#keyOf(letter);
      if (!this.#kinds.has(key) && !opened.has(key)) opened.set(key, letter);
    }
    return [...opened.values()].flatMap((letter) => this.#outgoing(letter, 1));
  }

  /** Counts messages after the result of `opening` is committed. */
  add(rejected: readonly RejectedMessage[]): void {
    for (const { letter, error } of rejected) {
      const key = this.#keyOf(letter);
      const known = this.#kinds.get(key);
      if (known === undefined) {
        this.#kinds.set(key, { last: outline(letter), count: 0 });
        this.#parts.report(error);
      } else {
        known.last = outline(letter);
        known.count++;
      }
    }
    if (this.#kinds.size > 0) this.#schedule();
  }

  /** Emits all counts, and stops counting. */
  async close(): Promise<void> {
    await this.#flushNext();
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    this.#timer ??= detached(() => setTimeout(() => void this.#flushNext(), windowMs).unref());
  }

  #flushNext(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#flush()).catch((error: unknown) => this.#parts.report(error));
    return this.#flushing;
  }

  /** Emits all counts. A kind that did not repeat is forgotten: its next message counts as the first. */
  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [key, { count }] of this.#kinds) if (count === 0) this.#kinds.delete(key);
    if (this.#kinds.size === 0) return;
    this.#schedule();
    const counted = [...this.#kinds.values()].map((kind) => ({ kind, count: kind.count }));
    const outgoing = counted.flatMap(({ kind, count }) => this.#outgoing(kind.last, count));
    if (outgoing.length > 0) await this.#parts.log.commit({ events: [], outgoing, delivered: null, received: [] });
    // After the commit: if that fails, the next record includes the counts.
    for (const { kind, count } of counted) kind.count -= count;
  }

  #keyOf(letter: DeadLetterRecord): string {
    const key = JSON.stringify([letter.cause, this.#originOf(letter), this.#typeOf(letter)]);
    return this.#kinds.has(key) || this.#kinds.size < mostKinds ? key : JSON.stringify([letter.cause, other, other]);
  }

  #originOf({ origin, provenOrigin }: DeadLetterRecord): string {
    return provenOrigin ?? (this.#parts.isDeclared(origin) ? origin : other);
  }

  #typeOf({ message: { type } }: DeadLetterRecord): string {
    return this.#parts.messages.findType(type) === undefined ? other : type;
  }

  #outgoing(letter: DeadLetterRecord, count: number): readonly OutgoingRecord[] {
    const { options, messages } = this.#parts;
    const event = Object.assign(messageDeadLettered(outline(letter)), {
      origin: this.#originOf(letter),
      messageType: this.#typeOf(letter),
      ...(count > 1 && { count }),
    });
    return options !== null && isEnabled(event, options) ? [outgoingSystemEvent(event, messages)] : [];
  }
}

/** Without body, metadata and the unproven scope: only the dead letter contains them. */
function outline(letter: DeadLetterRecord): DeadLetterRecord {
  return { ...letter, message: { ...letter.message, body: '', scope: null, metadata: {} } };
}
