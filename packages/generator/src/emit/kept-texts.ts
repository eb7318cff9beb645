interface Kept {
  readonly from: readonly unknown[];
  readonly lookups: ReadonlyMap<string, unknown>;
  readonly text: string;
}

/** Texts, from one emission to the next: each is written again only when something it was written from is another now. */
export class KeptTexts {
  #before: ReadonlyMap<string, Kept> = new Map();
  #now = new Map<string, Kept>();

  /** What was not asked for since the last call is forgotten. */
  startEmission(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  /**
   * The text of a key. `from` is all that it is written from, except what `write` looks up by id while it writes: that is found
   * out by handing it the lookup.
   */
  get<T>(
    key: string,
    from: readonly unknown[],
    lookUp: (id: string) => T,
    write: (lookUp: (id: string) => T) => string,
  ): string {
    const before = this.#before.get(key);
    const kept = before !== undefined && isSame(before, from, lookUp) ? before : written(from, lookUp, write);
    this.#now.set(key, kept);
    return kept.text;
  }
}

function isSame(kept: Kept, from: readonly unknown[], lookUp: (id: string) => unknown): boolean {
  if (kept.from.length !== from.length || !kept.from.every((part, i) => part === from[i])) return false;
  for (const [id, found] of kept.lookups) if (lookUp(id) !== found) return false;
  return true;
}

function written<T>(
  from: readonly unknown[],
  lookUp: (id: string) => T,
  write: (lookUp: (id: string) => T) => string,
): Kept {
  const lookups = new Map<string, T>();
  const text = write((id) => {
    const found = lookUp(id);
    lookups.set(id, found);
    return found;
  });
  return { from, lookups, text };
}
