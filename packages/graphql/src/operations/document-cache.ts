import { RecentlyUsed } from './recently-used.js';

/** Documents that were used once and wait to be used again. */
export const mostOnce = 100;

/**
 * What was prepared of documents. A document that is used once displaces only others that were, so that a caller who sends a thousand
 * different ones does not displace the documents that clients repeat. One that fails is never in here.
 */
export class DocumentCache<TValue> {
  readonly #once = new Map<string, TValue>();
  readonly #again: RecentlyUsed<string, TValue>;

  /** At most twice `size` documents are kept that were used again. */
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
