/** Makes a process repeatable: its clock starts at the same time, and its random bytes are the same in each run. */
import { createHash } from 'node:crypto';

const started = Date.UTC(2026, 0, 15, 9, 30);

export function fixWorld() {
  globalThis.Date = shifted(Date);
  let blocks = 0;
  crypto.getRandomValues = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let at = 0; at < bytes.length; at += 32) {
      const block = createHash('sha256').update(`block ${blocks++}`).digest();
      bytes.set(block.subarray(0, Math.min(32, bytes.length - at)), at);
    }
    return array;
  };
}

function shifted(RealDate) {
  const offset = started - RealDate.now();
  return class ShiftedDate extends RealDate {
    constructor(...given) {
      if (given.length === 0) super(ShiftedDate.now());
      else super(...given);
    }

    static now() {
      return RealDate.now() + offset;
    }
  };
}
