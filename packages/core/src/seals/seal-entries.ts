/**
 * What a seal stores of each of its events, to find the one that was changed: its id, and the first bytes of the digests of its canonical form
 * and its body. The checkpoint has the digest of all entries.
 */
import { hash } from 'node:crypto';
import type { Uuid } from '../json/index.js';
import { idBytes } from '../storage/index.js';
import { uuidOf } from './event-digests.js';
import type { DigestRange } from './digest-cursor.js';
import { hashBytes } from './hashing/hash-batch.js';

const digestBytes = 8;
export const entryBytes = idBytes + 2 * digestBytes;

/** Collects the entries of a seal. */
export class SealEntries {
  #bytes = Buffer.allocUnsafe(entryBytes * 64);
  #length = 0;

  add({ digests: { ids, leaves, bodies }, from, to }: DigestRange): void {
    this.#reserve((to - from) * entryBytes);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = from; i < to; i++) {
      for (let b = 0; b < idBytes; b++) bytes[at++] = ids[i * idBytes + b]!;
      for (let b = 0; b < digestBytes; b++) bytes[at++] = leaves[i * hashBytes + b]!;
      for (let b = 0; b < digestBytes; b++) bytes[at++] = bodies[i * hashBytes + b]!;
    }
    this.#length = at;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

export function countEntries(entries: Uint8Array): number {
  return entries.length / entryBytes;
}

/** The digest of all entries of a seal, in hexadecimal digits. */
export function digestOfEntries(entries: Uint8Array): string {
  return hash('sha256', entries);
}

/** The index of the first entry in which two lists differ; -1: they are equal. */
export function firstDifference(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  if (Buffer.compare(a.subarray(0, shared), b.subarray(0, shared)) === 0) {
    return a.length === b.length ? -1 : shared / entryBytes;
  }
  let at = 0;
  while (a[at] === b[at]) at++;
  return Math.floor(at / entryBytes);
}

export function idOfEntry(entries: Uint8Array, index: number): Uuid {
  return uuidOf(entries, index * entryBytes);
}

export function idsOfEntries(entries: Uint8Array): ReadonlySet<Uuid> {
  return new Set(Array.from({ length: countEntries(entries) }, (_, index) => idOfEntry(entries, index)));
}

/** Whether two entries have the same digest of the body. */
export function hasSameBody(a: Uint8Array, b: Uint8Array, index: number): boolean {
  const [from, to] = [index * entryBytes + idBytes + digestBytes, (index + 1) * entryBytes];
  return Buffer.compare(a.subarray(from, to), b.subarray(from, to)) === 0;
}
