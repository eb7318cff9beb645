/** The Merkle tree against the recursive definition of RFC 6962, which is short enough to read. */
import { createHash, randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Frontier, GrownTree, leafHash, rootOfInclusion } from './merkle-tree.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? randomInt(2 ** 31));

/** Small and repeatable (mulberry32). */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const sha = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const split = (count: number): number => 2 ** Math.ceil(Math.log2(count) - 1);

/** RFC 6962, 2.1. */
function simpleRoot(contents: readonly string[]): Buffer {
  if (contents.length === 0) return sha();
  if (contents.length === 1) return sha(Buffer.from([0]), Buffer.from(contents[0]!));
  const k = split(contents.length);
  return sha(Buffer.from([1]), simpleRoot(contents.slice(0, k)), simpleRoot(contents.slice(k)));
}

/** RFC 6962, 2.1.1. */
function simplePath(index: number, contents: readonly string[]): Buffer[] {
  if (contents.length === 1) return [];
  const k = split(contents.length);
  return index < k
    ? [...simplePath(index, contents.slice(0, k)), simpleRoot(contents.slice(k))]
    : [...simplePath(index - k, contents.slice(k)), simpleRoot(contents.slice(0, k))];
}

function frontierOf(contents: readonly string[]): Frontier {
  const frontier = new Frontier();
  for (const content of contents) frontier.add(leafHash(content));
  return frontier;
}

describe(`Merkle tree (seed ${seed})`, () => {
  const random = randomOf(seed);
  const contents = Array.from({ length: 300 }, (_, i) => `leaf ${i} ${random()}`);

  it('has the root of the definition at every size, also after it was stored and read', () => {
    const frontier = new Frontier();
    for (let size = 0; size <= 130; size++) {
      expect(frontier.root).toEqual(simpleRoot(contents.slice(0, size)));
      expect(Frontier.of(size, frontier.bytes)!.root).toEqual(frontier.root);
      frontier.add(leafHash(contents[size]!));
    }
    expect(Frontier.of(3, frontier.bytes)).toBeNull();
  });

  it('is the same if many leaves are added at once', () => {
    for (let round = 0; round < 200; round++) {
      const [before, count] = [Math.floor(random() * 130), Math.floor(random() * 130)];
      const frontier = frontierOf(contents.slice(0, before));
      frontier.addAll(Buffer.concat(contents.slice(before, before + count).map(leafHash)));
      const expected = frontierOf(contents.slice(0, before + count));
      expect(frontier.size).toBe(expected.size);
      expect(frontier.bytes.equals(expected.bytes), `${before} and ${count}`).toBe(true);
    }
  });

  it('has the known root of the test vectors of Certificate Transparency', () => {
    const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
    const frontier = new Frontier();
    for (const hex of inputs) frontier.add(leafHash(Buffer.from(hex, 'hex').toString('latin1')));
    expect(frontier.root.toString('hex')).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328');
  });

  it('proves inclusion of each new leaf as the definition does, and no other leaf, index, size or proof', () => {
    for (let round = 0; round < 60; round++) {
      const before = Math.floor(random() * 100);
      const size = before + 1 + Math.floor(random() * 100);
      const tree = new GrownTree(frontierOf(contents.slice(0, before)), contents.slice(before, size).map(leafHash));
      const all = contents.slice(0, size);
      const index = before + Math.floor(random() * (size - before));
      const proof = tree.inclusionProof(index);
      expect(tree.root).toEqual(simpleRoot(all));
      expect(proof).toEqual(simplePath(index, all));
      const leaf = leafHash(contents[index]!);
      expect(rootOfInclusion(leaf, index, size, proof)).toEqual(tree.root);
      expect(rootOfInclusion(leafHash('another'), index, size, proof)).not.toEqual(tree.root);
      expect(rootOfInclusion(leaf, index, size, [...proof, leaf])).toBeNull();
      if (proof.length > 0) expect(rootOfInclusion(leaf, index, size, proof.slice(1))).not.toEqual(tree.root);
      if (size > 1) expect(rootOfInclusion(leaf, (index + 1) % size, size, proof)).not.toEqual(tree.root);
      expect(rootOfInclusion(leaf, size, size, proof)).toBeNull();
    }
  });
});
