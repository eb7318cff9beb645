/** The canonical form of events that are bytes. It has the same bytes as `canonicalForm` has for the records of the events. */
import { EventId, EventText, idBytes, type EventBytes } from '../storage/index.js';
import { canonicalText } from './canonical-json.js';
import { hashBytes } from './hashing/hash-batch.js';
import { logSealedType } from './log-sealed.js';

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Between the values, in the order of the form. A leaf begins with a zero. */
const names = {
  body: ascii('\0{"body":"'),
  cause: ascii('","causationId":'),
  correlation: ascii(',"correlationId":"'),
  id: ascii('","id":"'),
  metadata: ascii('","metadata":'),
  position: ascii(',"position":'),
  scope: ascii(',"scope":'),
  sequence: ascii(',"sequence":'),
  stream: ascii(',"streamId":"'),
  timestamp: ascii('","timestamp":'),
  transaction: ascii(',"transaction":'),
  type: ascii(',"type":'),
};
const nothing = ascii('null');
const quote = 0x22;
const backslash = 0x5c;
const dash = 0x2d;
const zero = 0x30;
const space = 0x20;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const reportType = ascii(logSealedType);

/** More than the names, ids and numbers of a form need. */
const mostBytesOfRest = 1_024;
/** A byte of JSON becomes at most this many: `1e20` is written with 21 digits. */
const mostGrowth = 6;

/** How many bytes the form of an event has at most. */
export function mostBytesOfForm(events: EventBytes, index: number): number {
  const lengthOf = (text: EventText): number => events.endOf(index, text) - events.startOf(index, text);
  const texts = lengthOf(EventText.Scope) + lengthOf(EventText.Metadata) + lengthOf(EventText.Type);
  return mostBytesOfRest + mostGrowth * texts;
}

/** The two hexadecimal digits of each byte. */
const digits = Array.from({ length: 256 }, (_, byte) => ascii(byte.toString(16).padStart(2, '0')));
const highDigit = Uint8Array.from(digits, ([high]) => high!);
const lowDigit = Uint8Array.from(digits, ([, low]) => low!);

/** Writes the forms of the events of a page. */
export class CanonicalWriter {
  readonly #events: EventBytes;
  #bytes: Uint8Array = Buffer.alloc(0);
  #at = 0;
  /** The last scope, as it is stored and in its canonical form: most events have the scope of the previous one. */
  #scope: { readonly stored: Buffer; readonly canonical: Buffer } = { stored: ascii(''), canonical: ascii('') };

  constructor(events: EventBytes) {
    this.#events = events;
  }

  isReport(index: number): boolean {
    return this.#isEqual(index, EventText.Type, reportType);
  }

  /** Writes the form of an event, with the digest of its body, and returns where it ends. Throws if the scope or the metadata are not JSON. */
  write(index: number, digests: Buffer, bytes: Uint8Array, at: number): number {
    const events = this.#events;
    this.#bytes = bytes;
    this.#at = at;
    this.#put(names.body);
    this.#hex(digests, index * hashBytes, hashBytes);
    this.#put(names.cause);
    this.#cause(index);
    this.#put(names.correlation);
    this.#uuid(index, EventId.Correlation);
    this.#put(names.id);
    this.#uuid(index, EventId.Id);
    this.#put(names.metadata);
    this.#metadata(index);
    this.#put(names.position);
    this.#number(events.positions[index]!);
    this.#put(names.scope);
    this.#writeScope(index);
    this.#put(names.sequence);
    this.#number(events.sequences[index]!);
    this.#put(names.stream);
    this.#uuid(index, EventId.Stream);
    this.#put(names.timestamp);
    this.#number(events.timestamps[index]!);
    this.#put(names.transaction);
    if (events.transactions === null) this.#put(nothing);
    else this.#number(events.transactions[index]!);
    this.#put(names.type);
    this.#type(index);
    bytes[this.#at++] = closeBrace;
    return this.#at;
  }

  #put(source: Uint8Array): void {
    this.#copy(source, 0, source.length);
  }

  /** A loop: a call of the runtime costs more than copying some bytes. */
  #copy(source: Uint8Array, start: number, end: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let i = start; i < end; i++) bytes[at++] = source[i]!;
    this.#at = at;
  }

  #hex(source: Uint8Array, start: number, count: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let i = start; i < start + count; i++) {
      bytes[at++] = highDigit[source[i]!]!;
      bytes[at++] = lowDigit[source[i]!]!;
    }
    this.#at = at;
  }

  #uuid(index: number, id: EventId): void {
    const { ids } = this.#events;
    const start = this.#events.placeOfId(index, id);
    const bytes = this.#bytes;
    let at = this.#at;
    for (let i = 0; i < idBytes; i++) {
      if (i === 4 || i === 6 || i === 8 || i === 10) bytes[at++] = dash;
      const byte = ids[start + i]!;
      bytes[at++] = highDigit[byte]!;
      bytes[at++] = lowDigit[byte]!;
    }
    this.#at = at;
  }

  #cause(index: number): void {
    if (!this.#events.hasCause(index)) return this.#put(nothing);
    this.#bytes[this.#at++] = quote;
    this.#uuid(index, EventId.Causation);
    this.#bytes[this.#at++] = quote;
  }

  /** In two parts of 7 digits, which are small integers. */
  #number(value: number): void {
    if (value < 0 || value >= 1e14) return this.#put(ascii(String(value)));
    const high = Math.floor(value / 1e7);
    if (high === 0) return this.#digits(value | 0, 1);
    this.#digits(high, 1);
    this.#digits((value - high * 1e7) | 0, 7);
  }

  #digits(value: number, atLeast: number): void {
    let count = atLeast;
    for (let power = 10 ** atLeast; power <= value; power *= 10) count++;
    let rest = value;
    for (let at = this.#at + count - 1; at >= this.#at; at--) {
      const next = (rest / 10) | 0;
      this.#bytes[at] = zero + rest - next * 10;
      rest = next;
    }
    this.#at += count;
  }

  #metadata(index: number): void {
    const events = this.#events;
    const start = events.startOf(index, EventText.Metadata);
    const end = events.endOf(index, EventText.Metadata);
    const { content } = events;
    const isEmpty = end - start === 2 && content[start] === openBrace && content[start + 1] === closeBrace;
    if (isEmpty) this.#copy(content, start, end);
    else this.#put(this.#canonical(index, EventText.Metadata));
  }

  #writeScope(index: number): void {
    const events = this.#events;
    const start = events.startOf(index, EventText.Scope);
    const end = events.endOf(index, EventText.Scope);
    if (start === end) return this.#put(nothing);
    if (!this.#isEqual(index, EventText.Scope, this.#scope.stored)) {
      this.#scope = {
        stored: Buffer.from(events.content.subarray(start, end)),
        canonical: this.#canonical(index, EventText.Scope),
      };
    }
    this.#put(this.#scope.canonical);
  }

  #canonical(index: number, text: EventText): Buffer {
    return Buffer.from(canonicalText(JSON.parse(this.#events.textOf(index, text))));
  }

  #type(index: number): void {
    const { content } = this.#events;
    const start = this.#events.startOf(index, EventText.Type);
    const end = this.#events.endOf(index, EventText.Type);
    for (let i = start; i < end; i++) {
      const byte = content[i]!;
      if (byte >= space && byte !== quote && byte !== backslash) continue;
      return this.#put(Buffer.from(JSON.stringify(this.#events.textOf(index, EventText.Type))));
    }
    this.#bytes[this.#at++] = quote;
    this.#copy(content, start, end);
    this.#bytes[this.#at++] = quote;
  }

  #isEqual(index: number, text: EventText, other: Buffer): boolean {
    const { content } = this.#events;
    const start = this.#events.startOf(index, text);
    if (this.#events.endOf(index, text) - start !== other.length) return false;
    for (let i = 0; i < other.length; i++) if (content[start + i] !== other[i]) return false;
    return true;
  }
}
