/** A map that discards entries that were not used recently: it has between `size` and twice as many entries. */
export class RecentlyUsed<TKey, TValue> {
  readonly #size: number;
  #young = new Map<TKey, TValue>();
  #old = new Map<TKey, TValue>();

  constructor(size: number) {
    this.#size = size;
  }

  get(key: TKey): TValue | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: TKey, value: TValue): void {
    this.#young.set(key, value);
    if (this.#young.size < this.#size) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
