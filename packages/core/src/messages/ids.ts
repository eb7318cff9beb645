import type { Uuid } from '../json/index.js';

const bytesPerId = 10;
const pool = new Uint8Array(bytesPerId * 800);
let used = pool.length;

let lastTime = 0;
let counter = 0;

/** The first characters of an id with the time `prefixTime`: smaller ids are older. */
let prefix = '';
let prefixTime = -1;

/**
 * Generates a UUIDv7 that is greater than every id that this process has generated or observed, also within a millisecond and when the
 * clock is set back. It is a hybrid logical timestamp: an effect has a greater id than its cause, on any host.
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
    // A low start leaves room to count within the millisecond.
    counter = ((pool[at]! & 0x03) << 8) | pool[at + 1]!;
  } else if (++counter > 0xfff) {
    lastTime++;
    counter = 0;
  }
  return format(Math.floor(lastTime / 0x1_0000), lastTime & 0xffff, at + 2);
}

/** Records an id that was read, received or committed: later ids of this process are greater. Ignores ids that are not UUIDv7. */
export function observeId(id: Uuid): void {
  if (prefixTime !== lastTime) {
    prefixTime = lastTime;
    const time = lastTime.toString(16).padStart(12, '0');
    prefix = `${time.slice(0, 8)}-${time.slice(8)}`;
  }
  if (id < prefix || !isTimeOrdered(id)) return;
  const time = timeOfId(id)!;
  const count = Number.parseInt(id.slice(15, 18), 16);
  if (time > lastTime) {
    lastTime = time;
    counter = count;
  } else if (time === lastTime && count > counter) {
    counter = count;
  }
}

/** Returns a function that forgets the ids since then: those of a virtual clock must not make later ids greater. */
export function rememberIds(): () => void {
  const [time, count] = [lastTime, counter];
  return () => {
    [lastTime, counter] = [time, count];
  };
}

/** The time in a UUIDv7, in milliseconds since 1970; null for other UUIDs. */
export function timeOfId(id: Uuid): number | null {
  return isTimeOrdered(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;
}

/** The smallest UUIDv7 of a point in time. */
export function firstIdOf(time: number): Uuid {
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000` as Uuid;
}

/** Whether an id is a UUIDv7, which contains a time. */
export function isTimeOrdered(id: Uuid): boolean {
  return id.charAt(versionAt) === '7';
}

const versionAt = 14;

const digits = '0123456789abcdef';
const first = Uint8Array.from({ length: 256 }, (_, byte) => digits.charCodeAt(byte >>> 4));
const second = Uint8Array.from({ length: 256 }, (_, byte) => digits.charCodeAt(byte & 0x0f));
const hyphen = 45;

/** One call creates one flat string. Concatenation would create a rope, six times as slow and as large. */
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
