/** A page of the log as bytes, out of one row that has many events. */
import { EventBytes, EventId, EventText } from '@svc/core/storage';

/** The order of the texts of an event in the row. */
const texts = [EventText.Body, EventText.Scope, EventText.Metadata, EventText.Type];
const ids = [EventId.Id, EventId.Stream, EventId.Correlation];
const idText = 36;

/**
 * `numbers` has the sequence, position and timestamp of each event and the lengths of its texts; `texts` has the texts. Null: what SQLite returned is not
 * what it has stored, because a text has bytes that are not UTF-8 or a zero, or an id is not one. Then the events must be read one by one.
 */
export function eventBytesOf(count: number, numbers: string, text: string): EventBytes | null {
  // SQLite returns the first for bytes that are not UTF-8, and the lengths would be wrong. Older versions end a text at a zero.
  if (text.includes('\ufffd') || text.includes('\0')) return null;
  const content = Buffer.from(text, 'utf8');
  const page = new EventBytes(count, { transactions: false, content });
  const read = new Numbers(numbers);
  let at = 0;
  let last = -Infinity;
  for (let i = 0; i < count; i++) {
    const sequence = read.next();
    if (!(sequence > last)) return null;
    last = sequence;
    page.begin(sequence, 0, read.next(), read.next());
    for (const id of ids) {
      if (!writeId(content, at, page.ids, page.placeOfId(i, id))) return null;
      at += idText;
    }
    if (read.next() > 0) {
      if (!writeId(content, at, page.ids, page.placeOfId(i, EventId.Causation))) return null;
      page.setHasCause(i);
      at += idText;
    }
    for (const one of texts) {
      const start = at;
      at += read.next();
      page.setText(i, one, start, at);
    }
  }
  return at === content.length ? page : null;
}

const minus = 0x2d;
const zero = 0x30;

/** Reads numbers, each followed by a space. */
class Numbers {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): number {
    const isNegative = this.#text.charCodeAt(this.#at) === minus;
    if (isNegative) this.#at++;
    let value = 0;
    // Ends at a space, and at the end of the text.
    for (let code = this.#text.charCodeAt(this.#at++); code >= zero; code = this.#text.charCodeAt(this.#at++)) {
      value = value * 10 + code - zero;
    }
    return isNegative ? -value : value;
  }
}

/** The value of each lowercase hexadecimal digit; 255: another byte. */
const digits = new Uint8Array(256).fill(255);
for (let digit = 0; digit < 16; digit++) digits[digit.toString(16).charCodeAt(0)] = digit;

/** Where the text of an id has its pairs of digits. */
const pairs = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34);

/** False: the text is not that of an id. */
function writeId(from: Buffer, at: number, to: Buffer, place: number): boolean {
  for (let i = 0; i < pairs.length; i++) {
    const high = digits[from[at + pairs[i]!]!]!;
    const low = digits[from[at + pairs[i]! + 1]!]!;
    if (high > 15 || low > 15) return false;
    to[place + i] = high * 16 + low;
  }
  return from[at + 8] === minus && from[at + 13] === minus && from[at + 18] === minus && from[at + 23] === minus;
}
