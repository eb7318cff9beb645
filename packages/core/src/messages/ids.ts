import type { Uuid } from '../json/index.js';

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
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

  const high = Math.floor(lastTime / 0x1_0000);
  const low = lastTime & 0xffff;
  return (hex[high >>> 24]! +
    hex[(high >>> 16) & 0xff]! +
    hex[(high >>> 8) & 0xff]! +
    hex[high & 0xff]! +
    '-' +
    hex[low >>> 8]! +
    hex[low & 0xff]! +
    '-' +
    hex[0x70 | (counter >>> 8)]! +
    hex[counter & 0xff]! +
    '-' +
    hex[0x80 | (pool[at + 2]! >>> 2)]! +
    hex[pool[at + 3]!]! +
    '-' +
    hex[pool[at + 4]!]! +
    hex[pool[at + 5]!]! +
    hex[pool[at + 6]!]! +
    hex[pool[at + 7]!]! +
    hex[pool[at + 8]!]! +
    hex[pool[at + 9]!]!) as Uuid;
}
