/**
 * What a seal stores of each of its events, to find the one that was changed: its id, and the first bytes of the digests of its canonical form
 * and its body. The checkpoint has the digest of all entries.
 */
import { hash } from 'node:crypto';
import { uuid, type Uuid } from '../json/index.js';
import type { StoredRecord } from '../storage/index.js';
import type { EventDigest } from './event-digest.js';

const idBytes = 16;
const digestBytes = 8;
export const entryBytes = idBytes + 2 * digestBytes;

/** Collects the entries of a seal. */
export class SealEntries {
  #bytes = Buffer.allocUnsafe(entryBytes * 64);
  #length = 0;

  add({ id }: StoredRecord, { leaf, body }: EventDigest): void {
    if (this.#length === this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes, Buffer.allocUnsafe(this.#bytes.length)]);
    }
    const at = this.#length;
    this.#bytes.write(id.replaceAll('-', ''), at, 'hex');
    leaf.copy(this.#bytes, at + idBytes, 0, digestBytes);
    this.#bytes.write(body, at + idBytes + digestBytes, digestBytes, 'hex');
    this.#length += entryBytes;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
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
  const hex = Buffer.from(entries.subarray(index * entryBytes, index * entryBytes + idBytes)).toString('hex');
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return uuid(groups.join('-'));
}

export function idsOfEntries(entries: Uint8Array): ReadonlySet<Uuid> {
  return new Set(Array.from({ length: countEntries(entries) }, (_, index) => idOfEntry(entries, index)));
}

/** Whether two entries have the same digest of the body. */
export function hasSameBody(a: Uint8Array, b: Uint8Array, index: number): boolean {
  const [from, to] = [index * entryBytes + idBytes + digestBytes, (index + 1) * entryBytes];
  return Buffer.compare(a.subarray(from, to), b.subarray(from, to)) === 0;
}
