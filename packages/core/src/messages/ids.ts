import type { Uuid } from '../json/index.js';

const bytesPerId = 10;
const pool = new Uint8Array(bytesPerId * 800);
let used = pool.length;

let lastTime = 0;
let counter = 0;

/**
 * A new UUIDv7. Ids made by one process are strictly increasing, also within a millisecond and when the clock is set back:
 * events are ordered by their ids.
 */
export function newId(): Uuid {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  const at = used;
  used += bytesPerId;

  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    // Starting low leaves room to count within the millisecond.
    counter = ((pool[at]! & 0x03) << 8) | pool[at + 1]!;
  } else if (++counter > 0xfff) {
    lastTime++;
    counter = 0;
  }
  return format(Math.floor(lastTime / 0x1_0000), lastTime & 0xffff, at + 2);
}

const digits = '0123456789abcdef';
const first = Uint8Array.from({ length: 256 }, (_, byte) => digits.charCodeAt(byte >>> 4));
const second = Uint8Array.from({ length: 256 }, (_, byte) => digits.charCodeAt(byte & 0x0f));
const hyphen = 45;

/** One call makes one flat string. Joining the parts would make a tree of strings, six times as slow and as large. */
function format(high: number, low: number, random: number): Uuid {
  const a = high >>> 24;
  const b = (high >>> 16) & 0xff;
  const c = (high >>> 8) & 0xff;
  const d = high & 0xff;
  const e = low >>> 8;
  const f = low & 0xff;
  const g = 0x70 | (counter >>> 8);
  const h = counter & 0xff;
  const i = 0x80 | (pool[random]! >>> 2);
  const j = pool[random + 1]!;
  const k = pool[random + 2]!;
  const l = pool[random + 3]!;
  const m = pool[random + 4]!;
  const n = pool[random + 5]!;
  const o = pool[random + 6]!;
  const p = pool[random + 7]!;
  // prettier-ignore
  return String.fromCharCode(
    first[a]!, second[a]!, first[b]!, second[b]!, first[c]!, second[c]!, first[d]!, second[d]!, hyphen,
    first[e]!, second[e]!, first[f]!, second[f]!, hyphen,
    first[g]!, second[g]!, first[h]!, second[h]!, hyphen,
    first[i]!, second[i]!, first[j]!, second[j]!, hyphen,
    first[k]!, second[k]!, first[l]!, second[l]!, first[m]!, second[m]!,
    first[n]!, second[n]!, first[o]!, second[o]!, first[p]!, second[p]!,
  ) as Uuid;
}
