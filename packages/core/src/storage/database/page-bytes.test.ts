import { describe, expect, it } from 'vitest';
import { mostPageBytes, pagesOf, withinPageBytes } from './page-bytes.js';

const size = (bytes: number): number => bytes;

describe('the items within the bytes of a page', () => {
  it('end with the one that reaches the limit exactly', () => {
    expect(withinPageBytes([mostPageBytes - 1, 1, 1], size)).toEqual([mostPageBytes - 1, 1]);
  });

  it('are one more while the limit is not reached', () => {
    expect(withinPageBytes([mostPageBytes - 2, 1, 1, 1], size)).toEqual([mostPageBytes - 2, 1, 1]);
  });

  it('are at least one, however large it is', () => {
    expect(withinPageBytes([mostPageBytes * 2, 1], size)).toEqual([mostPageBytes * 2]);
  });

  it('are all items while they are smaller than the limit, or if there are none', () => {
    const items = [1, mostPageBytes - 2];
    expect(withinPageBytes(items, size)).toBe(items);
    expect(withinPageBytes([], size)).toEqual([]);
  });
});

describe('pages of a limited size', () => {
  const pages = async (items: readonly number[], most: number): Promise<(readonly number[])[]> => {
    const found: (readonly number[])[] = [];
    async function* given(): AsyncIterable<number> {
      yield* items;
    }
    for await (const page of pagesOf(given(), most, size)) found.push(page);
    return found;
  };

  it('have so many items each, and the last one has the rest', async () => {
    expect(await pages([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('are never empty', async () => {
    expect(await pages([1, 2], 2)).toEqual([[1, 2]]);
    expect(await pages([], 2)).toEqual([]);
  });

  it('end with the item that reaches the limit of bytes, and count the next page from zero', async () => {
    const half = mostPageBytes / 2;
    expect(await pages([half, half, half, half - 1, 1, half], 10)).toEqual([[half, half], [half, half - 1, 1], [half]]);
  });
});
