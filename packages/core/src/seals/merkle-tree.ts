/** The Merkle tree of RFC 6962: over all events of a log, in its order. A tree is never held completely: see `Frontier`. */
import { hash } from 'node:crypto';
import { hashBytes, sharedBatch } from './hashing/hash-batch.js';

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

  /** Adds many leaves, 32 bytes each, level by level: the nodes of a level are hashed together. */
  addAll(leaves: Uint8Array): void {
    const subtrees: Buffer[] = [];
    let level: Uint8Array = leaves;
    const count = leaves.length / hashBytes;
    for (let size = this.#size; level.length > 0; size = half(size)) {
      const all = size % 2 === 1 ? Buffer.concat([this.#hashes.pop()!, level]) : level;
      const paired = all.length - (all.length % (2 * hashBytes));
      if (paired < all.length) subtrees.push(Buffer.from(all.subarray(paired)));
      level = parentsOf(all.subarray(0, paired));
    }
    this.#hashes.push(...subtrees.toReversed());
    this.#size += count;
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

/** The hashes of the nodes over pairs of nodes. */
function parentsOf(children: Uint8Array): Buffer {
  const batch = sharedBatch();
  for (let from = 0; from < children.length; from += 2 * hashBytes) {
    const at = batch.reserve(node.length);
    batch.bytes[at] = node[0]!;
    batch.bytes.set(children.subarray(from, from + 2 * hashBytes), at + 1);
    batch.add(node.length);
  }
  const parents = Buffer.allocUnsafe(children.length / 2);
  batch.run(parents);
  return parents;
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

  #path(index: number, from: number, to: number): readonly Buffer[] {
    if (to - from === 1) return [];
    const middle = from + largestPowerBelow(to - from);
    return index < middle
      ? [...this.#path(index, from, middle), this.#hashOf(middle, to)]
      : [...this.#path(index, middle, to), this.#hashOf(from, middle)];
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
