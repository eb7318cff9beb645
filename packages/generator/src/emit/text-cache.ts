interface CachedText {
  readonly from: readonly unknown[];
  readonly lookups: ReadonlyMap<string, unknown>;
  readonly text: string;
}

/** Caches texts between emissions. Each is written again only when one of its inputs changes. */
export class TextCache {
  #previous: ReadonlyMap<string, CachedText> = new Map();
  #current = new Map<string, CachedText>();

  /** Drops texts that were not requested since the last call. */
  startEmission(): void {
    this.#previous = this.#current;
    this.#current = new Map();
  }

  /**
   * The text of a key. `from` lists its inputs, except types that `write` looks up by id: these are recorded by the lookup passed to it.
   */
  get<T>(
    key: string,
    from: readonly unknown[],
    lookUp: (id: string) => T,
    write: (lookUp: (id: string) => T) => string,
  ): string {
    const before = this.#previous.get(key);
    const cached = before !== undefined && isSame(before, from, lookUp) ? before : written(from, lookUp, write);
    this.#current.set(key, cached);
    return cached.text;
  }
}

function isSame(cached: CachedText, from: readonly unknown[], lookUp: (id: string) => unknown): boolean {
  if (cached.from.length !== from.length || !cached.from.every((part, i) => part === from[i])) return false;
  for (const [id, found] of cached.lookups) if (lookUp(id) !== found) return false;
  return true;
}

function written<T>(
  from: readonly unknown[],
  lookUp: (id: string) => T,
  write: (lookUp: (id: string) => T) => string,
): CachedText {
  const lookups = new Map<string, T>();
  const text = write((id) => {
    const found = lookUp(id);
    lookups.set(id, found);
    return found;
  });
  return { from, lookups, text };
}
