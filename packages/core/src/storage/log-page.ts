import type { StoredRecord } from './event-record.js';

/** Some events that follow each other in the log: as records, or, if all of them are small and stored completely, as bytes. */
export type LogPage = { readonly records: readonly StoredRecord[] } | { readonly bytes: EventBytes };

/** The parts of an event that are texts of any length, as UTF-8 without a replacement character. */
export const EventText = { Body: 0, Scope: 1, Metadata: 2, Type: 3 } as const;
export type EventText = (typeof EventText)[keyof typeof EventText];
const texts = 4;

/** The ids of an event, 16 bytes each. */
export const EventId = { Id: 0, Stream: 1, Correlation: 2, Causation: 3 } as const;
export type EventId = (typeof EventId)[keyof typeof EventId];
const ids = 4;
export const idBytes = 16;

/**
 * Events as a database returns them, without an object for each: to digest an event costs less than to create it. A storage fills it with `begin`,
 * `setText` and `setId`.
 */
export class EventBytes {
  readonly sequences: Float64Array;
  /** Null in databases whose log is ordered by sequence numbers. */
  readonly transactions: Float64Array | null;
  readonly positions: Float64Array;
  readonly timestamps: Float64Array;
  readonly #ids: Buffer;
  readonly #hasCause: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  #content: Buffer;
  #used = 0;
  #count = 0;

  /** Has room for `most` events. */
  constructor(most: number, options: { readonly transactions: boolean; readonly content?: Buffer }) {
    this.sequences = new Float64Array(most);
    this.transactions = options.transactions ? new Float64Array(most) : null;
    this.positions = new Float64Array(most);
    this.timestamps = new Float64Array(most);
    this.#ids = Buffer.alloc(most * ids * idBytes);
    this.#hasCause = new Uint8Array(most);
    this.#starts = new Uint32Array(most * texts);
    this.#ends = new Uint32Array(most * texts);
    this.#content = options.content ?? Buffer.allocUnsafe(most * 512);
  }

  get count(): number {
    return this.#count;
  }

  /** What the texts are parts of. */
  get content(): Buffer {
    return this.#content;
  }

  /** The place of all ids. */
  get ids(): Buffer {
    return this.#ids;
  }

  /** Adds an event and returns its index. An absent transaction is 0. */
  begin(sequence: number, transaction: number, position: number, timestamp: number): number {
    const index = this.#count++;
    this.sequences[index] = sequence;
    if (this.transactions !== null) this.transactions[index] = transaction;
    this.positions[index] = position;
    this.timestamps[index] = timestamp;
    return index;
  }

  /** Copies bytes into the content and returns where they begin. */
  append(bytes: Uint8Array): number {
    const at = this.#used;
    this.#used += bytes.length;
    if (this.#used > this.#content.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#used, 2 * this.#content.length));
      this.#content.copy(larger, 0, 0, at);
      this.#content = larger;
    }
    this.#content.set(bytes, at);
    return at;
  }

  /** An absent scope is empty. */
  setText(index: number, text: EventText, start: number, end: number): void {
    this.#starts[index * texts + text] = start;
    this.#ends[index * texts + text] = end;
  }

  startOf(index: number, text: EventText): number {
    return this.#starts[index * texts + text]!;
  }

  endOf(index: number, text: EventText): number {
    return this.#ends[index * texts + text]!;
  }

  textOf(index: number, text: EventText): string {
    return this.#content.toString('utf8', this.startOf(index, text), this.endOf(index, text));
  }

  /** The place of an id in `ids`, to read it or write it. */
  placeOfId(index: number, id: EventId): number {
    return (index * ids + id) * idBytes;
  }

  setHasCause(index: number): void {
    this.#hasCause[index] = 1;
  }

  hasCause(index: number): boolean {
    return this.#hasCause[index] === 1;
  }
}
