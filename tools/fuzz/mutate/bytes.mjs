/** Changes the bytes of a body, without regard to their meaning. */

/** Bytes that are not UTF-8, or that parsers treat differently. */
const intruders = [
  [0x00],
  [0xff],
  [0xfe, 0xff],
  [0xef, 0xbb, 0xbf],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0x80],
  [0x0d, 0x0a],
  [0x5c],
  [0x22],
  [0x7b],
  [0x5b],
  [0x2c],
].map((bytes) => Buffer.from(bytes));

export function mutatedBytes(bytes, random) {
  let result = bytes;
  for (let times = random.between(1, 3); times > 0; times--) result = mutated(result, random);
  return result;
}

function mutated(bytes, random) {
  const at = random.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + random.between(1, 40));
  return random.weighted([
    [4, () => flipped(bytes, random)],
    [3, () => joined(bytes.subarray(0, at), random.pick(intruders), bytes.subarray(at))],
    [2, () => bytes.subarray(0, at)],
    [2, () => joined(bytes.subarray(0, at), bytes.subarray(end))],
    [2, () => joined(bytes.subarray(0, end), bytes.subarray(at))],
    [1, () => bytes.subarray(at)],
    [1, () => joined(random.pick(intruders), bytes)],
    [1, () => joined(bytes, bytes)],
    [1, () => joined(bytes, Buffer.from(random.pick([' ', '\n', '\0', '}', ' {}', '//', 'null'])))],
    [1, () => random.bytes(random.pick([1, 3, 64, 1000]))],
    [1, () => Buffer.from(bytes.toString('utf8'), 'utf16le')],
    [1, () => Buffer.alloc(0)],
  ])();
}

function flipped(bytes, random) {
  if (bytes.length === 0) return random.bytes(1);
  const copy = Buffer.from(bytes);
  const at = random.below(copy.length);
  copy[at] = random.chance(0.5) ? copy[at] ^ (1 << random.below(8)) : random.below(256);
  return copy;
}

function joined(...parts) {
  return Buffer.concat(parts);
}
