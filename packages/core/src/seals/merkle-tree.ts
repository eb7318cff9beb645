/** The Merkle tree of RFC 6962: over all events of a log, in its order. A tree is never held completely: see `Frontier`. */
import { hash } from 'node:crypto';

export const hashBytes = 32;

const node = Buffer.alloc(1 + 2 * hashBytes);
node[0] = 1;

/** The hash of a leaf with a content. */
export function leafHash(content: string): Buffer {
  return hash('sha256', `\0${content}`, 'buffer');
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  node.set(left, 1);
  node.set(right, 1 + hashBytes);
  return hash('sha256', node, 'buffer');
}

/** The root of a tree without leaves. */
const emptyRoot = hash('sha256', '', 'buffer');

/**
 * The complete subtrees of a tree, the largest first: as many as the size has bits that are set. They determine the root, and adding a leaf needs
 * no other part of the tree.
 */
export class Frontier {
  readonly #hashes: Buffer[];
  #size: number;

  constructor(size = 0, hashes: readonly Buffer[] = []) {
    this.#size = size;
    this.#hashes = [...hashes];
  }

  /** Reads what `bytes` returns. Null: it is not a frontier of this size. */
  static of(size: number, bytes: Uint8Array): Frontier | null {
    if (bytes.length !== subtreesOf(size) * hashBytes) return null;
    const hashes = Array.from({ length: bytes.length / hashBytes }, (_, i) =>
      Buffer.from(bytes.subarray(i * hashBytes, (i + 1) * hashBytes)),
    );
    return new Frontier(size, hashes);
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#hashes);
  }

  get root(): Buffer {
    const { length } = this.#hashes;
    if (length === 0) return emptyRoot;
    let root = this.#hashes[length - 1]!;
    for (let i = length - 2; i >= 0; i--) root = nodeHash(this.#hashes[i]!, root);
    return root;
  }

  add(leaf: Buffer): void {
    let hashed = leaf;
    // Each bit that is set at the end is a complete subtree of the same size as what is added.
    for (let size = this.#size; size % 2 === 1; size = (size - 1) / 2) hashed = nodeHash(this.#hashes.pop()!, hashed);
    this.#hashes.push(hashed);
    this.#size++;
  }

  copy(): Frontier {
    return new Frontier(this.#size, this.#hashes);
  }

  /** The hash of the subtree with the leaves from `from` to before `to`; undefined: it is not one of the frontier. */
  subtree(from: number, to: number): Buffer | undefined {
    let start = 0;
    let index = 0;
    for (let width = largestPowerUpTo(this.#size); start < this.#size; width = largestPowerUpTo(this.#size - start)) {
      if (start === from && start + width === to) return this.#hashes[index];
      start += width;
      index++;
    }
    return undefined;
  }
}

/** A tree whose first leaves are known by their frontier only. Proves what concerns its other leaves. */
export class GrownTree {
  readonly #before: Frontier;
  readonly #leaves: readonly Buffer[];
  readonly size: number;

  constructor(before: Frontier, leaves: readonly Buffer[]) {
    this.#before = before;
    this.#leaves = leaves;
    this.size = before.size + leaves.length;
  }

  get root(): Buffer {
    return this.size === 0 ? emptyRoot : this.#hashOf(0, this.size);
  }

  /** The hashes that lead from one of its own leaves to the root. */
  inclusionProof(index: number): readonly Buffer[] {
    return this.#path(index, 0, this.size);
  }

  /** Proves that the tree of the frontier is the beginning of this one. */
  consistencyProof(): readonly Buffer[] {
    const { size } = this.#before;
    return size === 0 || size === this.size ? [] : this.#consistency(size, 0, this.size, true);
  }

  #path(index: number, from: number, to: number): readonly Buffer[] {
    if (to - from === 1) return [];
    const middle = from + largestPowerBelow(to - from);
    return index < middle
      ? [...this.#path(index, from, middle), this.#hashOf(middle, to)]
      : [...this.#path(index, middle, to), this.#hashOf(from, middle)];
  }

  #consistency(size: number, from: number, to: number, isWhole: boolean): readonly Buffer[] {
    if (size === to) return isWhole ? [] : [this.#hashOf(from, to)];
    const middle = from + largestPowerBelow(to - from);
    return size <= middle
      ? [...this.#consistency(size, from, middle, isWhole), this.#hashOf(middle, to)]
      : [...this.#consistency(size, middle, to, false), this.#hashOf(from, middle)];
  }

  #hashOf(from: number, to: number): Buffer {
    const known = to <= this.#before.size ? this.#before.subtree(from, to) : undefined;
    if (known !== undefined) return known;
    if (to - from === 1) return this.#leaves[from - this.#before.size]!;
    const middle = from + largestPowerBelow(to - from);
    return nodeHash(this.#hashOf(from, middle), this.#hashOf(middle, to));
  }
}

/** The root to which an inclusion proof leads (RFC 9162, 2.1.3.2); null: the proof has the wrong length. */
export function rootOfInclusion(
  leaf: Buffer,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
): Buffer | null {
  let [place, last] = [index, size - 1];
  if (place > last || place < 0) return null;
  let root = leaf;
  for (const sibling of proof) {
    if (last === 0) return null;
    if (place % 2 === 1 || place === last) {
      root = nodeHash(sibling, root);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      root = nodeHash(root, sibling);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? root : null;
}

/** Whether a proof shows that one tree is the beginning of another (RFC 9162, 2.1.4.2). */
export function isConsistent(
  before: { readonly size: number; readonly root: Uint8Array },
  after: { readonly size: number; readonly root: Uint8Array },
  proof: readonly Buffer[],
): boolean {
  if (before.size > after.size) return false;
  if (before.size === after.size || before.size === 0) {
    return proof.length === 0 && (before.size === 0 || Buffer.compare(before.root, after.root) === 0);
  }
  const isPower = largestPowerUpTo(before.size) === before.size;
  const [first, ...rest] = isPower ? [Buffer.from(before.root), ...proof] : proof;
  if (first === undefined) return false;
  let [place, last] = [before.size - 1, after.size - 1];
  while (place % 2 === 1) [place, last] = [half(place), half(last)];
  let [old, grown] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      old = nodeHash(sibling, old);
      grown = nodeHash(sibling, grown);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      grown = nodeHash(grown, sibling);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && Buffer.compare(old, before.root) === 0 && Buffer.compare(grown, after.root) === 0;
}

/** Not a shift: sizes can exceed 32 bits. */
function half(number: number): number {
  return Math.floor(number / 2);
}

function largestPowerUpTo(number: number): number {
  let power = 1;
  while (power * 2 <= number) power *= 2;
  return power;
}

function largestPowerBelow(number: number): number {
  return largestPowerUpTo(number - 1);
}

function subtreesOf(size: number): number {
  let count = 0;
  for (let rest = size; rest > 0; rest = half(rest)) count += rest % 2;
  return count;
}
