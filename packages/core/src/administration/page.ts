import type { Uuid } from '../json/index.js';

/** A page of a list: where it starts, and how long it is. */
export interface Page<TKey = Uuid> {
  /** The key of the last item of the previous page. Default: none, the first page. */
  readonly after?: TKey;
  /** Default: 50; maximum: 200. */
  readonly limit?: number;
}

const largestPage = 200;

/** The length of a page. */
export function limitOf({ limit = 50 }: { readonly limit?: number }): number {
  return Math.min(Math.max(1, limit), largestPage);
}

/** Items of a list, and the key with which the next page starts; null: there are no more. */
export interface Listed<TItem, TKey = Uuid> {
  readonly items: readonly TItem[];
  readonly next: TKey | null;
}

/** The first `limit` items of those found, of which one more was read. */
export function listed<TItem, TKey>(
  found: readonly TItem[],
  limit: number,
  keyOf: (item: TItem) => TKey,
): Listed<TItem, TKey> {
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? keyOf(items.at(-1)!) : null };
}
