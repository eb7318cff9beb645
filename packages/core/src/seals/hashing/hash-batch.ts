import { hash } from 'node:crypto';
import {
  bytesPerBlock,
  freeFrom,
  initialState,
  lanes,
  sha256Module,
  stateAt,
  type Sha256Module,
} from './sha256-module.js';

/** How many bytes a SHA-256 has. */
export const hashBytes = 32;

/** After a message: a byte that ends it, and its length in 8 bytes. */
const paddingBytes = 9;

/** The memory begins with what an idle lane reads, then the messages. */
const idleAt = freeFrom;
const messagesAt = freeFrom + bytesPerBlock;

const firstBytes = 1 << 20;

/**
 * Computes SHA-256 of many short messages. A call of `node:crypto` costs more than hashing a message of some hundred bytes, and here four messages are
 * hashed at once. Write a message to `bytes` at the place that `reserve` returns, then call `add`.
 */
export class HashBatch {
  readonly #module: Sha256Module | null;
  #bytes: Buffer;
  #words: Uint32Array;
  #starts = new Uint32Array(256);
  #lengths = new Uint32Array(256);
  #count = 0;
  #end = messagesAt;

  /** Without a module, `node:crypto` hashes. */
  constructor(module: Sha256Module | null = sha256Module()) {
    this.#module = module;
    const memory = module === null ? new ArrayBuffer(firstBytes) : module.memory.buffer;
    this.#bytes = Buffer.from(memory);
    this.#words = new Uint32Array(memory);
  }

  /** Changes when memory is reserved. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /** The place for the next message. */
  reserve(length: number): number {
    const needed = this.#end + length + paddingBytes + bytesPerBlock;
    if (needed > this.#bytes.length) this.#grow(needed);
    return this.#end;
  }

  /** The message at the reserved place has this length. */
  add(length: number): void {
    if (this.#count === this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#lengths = doubled(this.#lengths);
    }
    const start = this.#end;
    this.#starts[this.#count] = start;
    this.#lengths[this.#count] = length;
    this.#count++;
    const bytes = this.#bytes;
    this.#end = start + Math.ceil((length + paddingBytes) / bytesPerBlock) * bytesPerBlock;
    bytes[start + length] = 0x80;
    for (let i = start + length + 1; i < this.#end - 8; i++) bytes[i] = 0;
    bytes.writeUInt32BE(Math.floor(length / 2 ** 29), this.#end - 8);
    bytes.writeUInt32BE((length << 3) >>> 0, this.#end - 4);
  }

  /** Writes the hashes of all messages, one after the other, and forgets the messages. */
  run(into: Uint8Array): void {
    if (this.#module === null) this.#runWithoutModule(into);
    else this.#run(this.#module, into);
    this.clear();
  }

  /** Forgets all messages, such as those that a failure left. */
  clear(): void {
    this.#count = 0;
    this.#end = messagesAt;
  }

  #runWithoutModule(into: Uint8Array): void {
    for (let i = 0; i < this.#count; i++) {
      const start = this.#starts[i]!;
      into.set(hash('sha256', this.#bytes.subarray(start, start + this.#lengths[i]!), 'buffer'), i * hashBytes);
    }
  }

  /** Each lane gets the next message as soon as it has finished one. */
  #run(module: Sha256Module, into: Uint8Array): void {
    const message = [-1, -1, -1, -1];
    const at = [idleAt, idleAt, idleAt, idleAt];
    const left = [Infinity, Infinity, Infinity, Infinity];
    let next = 0;
    let open = this.#count;
    const begin = (lane: number): void => {
      const isIdle = next === this.#count;
      message[lane] = isIdle ? -1 : next;
      at[lane] = isIdle ? idleAt : this.#starts[next]!;
      left[lane] = isIdle ? Infinity : Math.ceil((this.#lengths[next]! + paddingBytes) / bytesPerBlock);
      if (!isIdle) next++;
      for (let i = 0; i < 8; i++) this.#words[stateAt / 4 + lanes * i + lane] = initialState[i]!;
    };
    for (let lane = 0; lane < lanes; lane++) begin(lane);
    while (open > 0) {
      const blocks = Math.min(left[0]!, left[1]!, left[2]!, left[3]!);
      module.compress(at[0]!, at[1]!, at[2]!, at[3]!, blocks);
      for (let lane = 0; lane < lanes; lane++) {
        at[lane]! += blocks * bytesPerBlock;
        left[lane]! -= blocks;
        // What an idle lane computes is not used, but it must stay within the memory.
        if (message[lane] === -1) at[lane] = idleAt;
        if (left[lane] !== 0) continue;
        this.#write(lane, into, message[lane]! * hashBytes);
        open--;
        begin(lane);
      }
    }
  }

  #write(lane: number, into: Uint8Array, at: number): void {
    for (let i = 0; i < 8; i++) {
      const word = this.#words[stateAt / 4 + lanes * i + lane]!;
      into[at + 4 * i] = word >>> 24;
      into[at + 4 * i + 1] = word >>> 16;
      into[at + 4 * i + 2] = word >>> 8;
      into[at + 4 * i + 3] = word;
    }
  }

  #grow(needed: number): void {
    const size = Math.max(needed, 2 * this.#bytes.length);
    let memory: ArrayBuffer;
    if (this.#module === null) {
      memory = new ArrayBuffer(size);
      this.#bytes.copy(new Uint8Array(memory));
    } else {
      this.#module.memory.grow(Math.ceil((size - this.#bytes.length) / 65_536));
      memory = this.#module.memory.buffer;
    }
    this.#bytes = Buffer.from(memory);
    this.#words = new Uint32Array(memory, 0, Math.floor(memory.byteLength / 4));
  }
}

let shared: HashBatch | undefined;

/** The batch of this thread, without messages. Use it without waiting for anything. */
export function sharedBatch(): HashBatch {
  shared ??= new HashBatch();
  shared.clear();
  return shared;
}

function doubled(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(2 * numbers.length);
  more.set(numbers);
  return more;
}
