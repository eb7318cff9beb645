import { RecentlyUsed } from './recently-used.js';

/** How many documents that were used once are cached. */
export const mostOnce = 100;

/**
 * A cache of prepared documents. A document that is used once displaces only others that were used once, so that a caller with a thousand
 * different documents does not displace those that clients repeat. Invalid documents are not cached.
 */
export class DocumentCache<TValue> {
  readonly #once = new Map<string, TValue>();
  readonly #again: RecentlyUsed<string, TValue>;

  /** Caches at most twice `size` documents that were used more than once. */
  constructor(size: number) {
    this.#again = new RecentlyUsed(size);
  }

  get(text: string): TValue | undefined {
    const once = this.#once.get(text);
    if (once === undefined) return this.#again.get(text);
    this.#once.delete(text);
    this.#again.set(text, once);
    return once;
  }

  add(text: string, value: TValue): void {
    this.#once.set(text, value);
    if (this.#once.size <= mostOnce) return;
    const [oldest] = this.#once.keys();
    this.#once.delete(oldest!);
  }
}
