/**
 * SHA-256 (FIPS 180-4) of four messages at once, as a WebAssembly module: each of the four lanes of a vector computes another message. The module is
 * written here, instruction by instruction, so that no tool is needed to build it. See decision 0101 for why.
 */

/** Where the module has its state in memory: eight vectors, one lane for each message. */
export const stateAt = 0;
const constantsAt = 128;
/** The memory behind it is free. */
export const freeFrom = 384;

export const bytesPerBlock = 64;
export const lanes = 4;

/** The first values of the state: the fractions of the square roots of the first 8 primes. */
export const initialState: readonly number[] = primes(8).map((prime) => fractionOf(Math.sqrt(prime)));

/** The fractions of the cube roots of the first 64 primes. */
const constants: readonly number[] = primes(64).map((prime) => fractionOf(Math.cbrt(prime)));

/** What the module exports. */
export interface Sha256Module {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Adds blocks of four messages to the state, from one address for each. */
  readonly compress: (a: number, b: number, c: number, d: number, blocks: number) => void;
}

/** What is used of WebAssembly: the types of Node do not declare it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

/** Null: this process cannot run the module, because it has no compiler or no vectors. */
export function sha256Module(): Sha256Module | null {
  const { WebAssembly } = globalThis as { readonly WebAssembly?: WebAssemblyApi };
  if (WebAssembly === undefined) return null;
  const module = compiled(WebAssembly);
  if (module === null) return null;
  const exports = new WebAssembly.Instance(module).exports as Sha256Module;
  const memory = new DataView(exports.memory.buffer);
  constants.forEach((constant, i) => memory.setUint32(constantsAt + 4 * i, constant, true));
  return exports;
}

function compiled({ Module }: WebAssemblyApi): object | null {
  try {
    return new Module(Uint8Array.from(moduleBytes()));
  } catch {
    return null;
  }
}

type Code = readonly number[];

/** The parameters: four addresses and the number of blocks. */
const blocksLeft = 4;
/** Vectors: the working variables, the message schedule and four others. */
const working = 5;
const schedule = working + 8;
const other = schedule + 16;
const vectors = 8 + 16 + 4;

const i32 = 0x7f;
const v128 = 0x7b;

function unsigned(value: number): Code {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest & 127) | 128);
  }
}

/** Of numbers from 0 to 64: above 63, the sign needs another byte. */
const constant = (value: number): Code => [0x41, ...(value < 64 ? [value] : [value | 128, 0])];
const get = (local: number): Code => [0x20, local];
const set = (local: number): Code => [0x21, local];
const vector = (operation: number, ...rest: Code): Code => [0xfd, ...unsigned(operation), ...rest];
const load = (offset: number): Code => vector(0x00, 0, ...unsigned(offset));
const loadForAllLanes = (offset: number): Code => vector(0x09, 2, ...unsigned(offset));
const store = (offset: number): Code => vector(0x0b, 0, ...unsigned(offset));
const shuffle = (bytes: Code): Code => vector(0x0d, ...bytes);
const or = vector(0x50);
const xor = vector(0x51);
const select = vector(0x52);
const add = vector(0xae);
const shiftLeft = (bits: number): Code => [...constant(bits), ...vector(0xab)];
const shiftRight = (bits: number): Code => [...constant(bits), ...vector(0xad)];
const rotate = (local: number, bits: number): Code =>
  [get(local), shiftRight(bits), get(local), shiftLeft(32 - bits), or].flat();

/** Three rotations of a value, or two and a shift. */
function mixed(local: number, first: number, second: number, last: { rotate: number } | { shift: number }): Code {
  const third = 'rotate' in last ? rotate(local, last.rotate) : [get(local), shiftRight(last.shift)].flat();
  return [rotate(local, first), rotate(local, second), xor, third, xor].flat();
}

function moduleBytes(): Code {
  const section = (id: number, ...content: Code): Code => [id, ...unsigned(content.length), ...content];
  const name = (text: string): Code => [text.length, ...Buffer.from(text)];
  const body = [1, vectors, v128, ...compressCode()];
  return [
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, 1, 0x60, 5, i32, i32, i32, i32, i32, 0),
    section(3, 1, 0),
    section(5, 1, 0, 1),
    section(7, 2, ...name('memory'), 2, 0, ...name('compress'), 0, 0),
    section(10, 1, ...unsigned(body.length), ...body),
  ].flat();
}

/** Repeats for each block: loads it, runs 64 rounds and adds the result to the state. */
function compressCode(): Code {
  const code: Code[] = [[0x03, 0x40]];
  for (let i = 0; i < 8; i++) code.push(constant(0), load(stateAt + 16 * i), set(working + i));
  for (let part = 0; part < 4; part++) code.push(...loadWords(part));
  let variables = Array.from({ length: 8 }, (_, i) => working + i);
  for (let round = 0; round < 64; round++) {
    if (round >= 16) code.push(...extendSchedule(round));
    code.push(...roundCode(round, variables));
    // What was h is now a.
    variables = [variables[7]!, ...variables.slice(0, 7)];
  }
  for (let i = 0; i < 8; i++) {
    code.push(constant(0), constant(0), load(stateAt + 16 * i), get(variables[i]!), add, store(stateAt + 16 * i));
  }
  for (let lane = 0; lane < lanes; lane++) code.push(get(lane), constant(bytesPerBlock), [0x6a], set(lane));
  code.push(get(blocksLeft), constant(1), [0x6b, 0x22, blocksLeft], [0x0d, 0], [0x0b, 0x0b]);
  return code.flat();
}

/** The bytes of four words out of two vectors, which have the words 0 to 3 and 4 to 7. */
const words = (...order: Code): Code => order.flatMap((word) => [4 * word, 4 * word + 1, 4 * word + 2, 4 * word + 3]);
const bigEndian = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

/** Loads four words of each message, so that each vector has one word of all messages. */
function loadWords(part: number): readonly Code[] {
  const at = schedule + 4 * part;
  const code: Code[] = [];
  for (let lane = 0; lane < lanes; lane++) code.push(get(lane), load(16 * part), set(at + lane));
  const pair = (a: number, b: number, order: Code, to: number): Code =>
    [get(a), get(b), shuffle(order), set(to)].flat();
  code.push(pair(at, at + 1, words(0, 4, 1, 5), other), pair(at, at + 1, words(2, 6, 3, 7), other + 1));
  code.push(pair(at + 2, at + 3, words(0, 4, 1, 5), other + 2), pair(at + 2, at + 3, words(2, 6, 3, 7), other + 3));
  for (let i = 0; i < 4; i++) {
    const half = i < 2 ? other : other + 1;
    const order = i % 2 === 0 ? words(0, 1, 4, 5) : words(2, 3, 6, 7);
    code.push(pair(half, half + 2, order, at + i), pair(at + i, at + i, bigEndian, at + i));
  }
  return code;
}

function extendSchedule(round: number): readonly Code[] {
  const word = (before: number): number => schedule + ((round - before) % 16);
  const small0 = mixed(word(15), 7, 18, { shift: 3 });
  const small1 = mixed(word(2), 17, 19, { shift: 10 });
  return [get(word(16)), small0, add, get(word(7)), add, small1, add, set(word(16))];
}

function roundCode(round: number, [a, b, c, d, e, f, g, h]: readonly number[]): readonly Code[] {
  const large1 = mixed(e!, 6, 11, { rotate: 25 });
  const large0 = mixed(a!, 2, 13, { rotate: 22 });
  const choice = [get(f!), get(g!), get(e!), select];
  // Where a and b differ, c decides.
  const majority = [get(c!), get(a!), get(a!), get(b!), xor, select];
  const roundConstant = [constant(0), loadForAllLanes(constantsAt + 4 * round)];
  const sum1 = [
    get(h!),
    get(schedule + (round % 16)),
    add,
    ...roundConstant,
    add,
    large1,
    add,
    ...choice,
    add,
    set(other),
  ];
  const sum2 = [get(other), large0, add, ...majority, add, set(h!)];
  return [...sum1, get(d!), get(other), add, set(d!), ...sum2];
}

function primes(count: number): readonly number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) {
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  }
  return found;
}

function fractionOf(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}
