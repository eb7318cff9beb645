import { detached } from '../background/index.js';

/**
 * Loads what concurrent callers need together: while one load runs, the next one collects. If it fails, each caller loads what it needs alone, so that
 * no caller fails because of another one.
 */
export class JointLoading<TItem> {
  readonly #load: (items: readonly TItem[]) => Promise<void>;
  #running: Promise<unknown> = Promise.resolve();
  #next: { readonly items: Set<TItem>; readonly loaded: Promise<void> } | null = null;

  constructor(load: (items: readonly TItem[]) => Promise<void>) {
    this.#load = load;
  }

  async load(items: readonly TItem[]): Promise<void> {
    const joint = (this.#next ??= this.#begin());
    for (const item of items) joint.items.add(item);
    try {
      await joint.loaded;
    } catch (error) {
      if (joint.items.size === items.length) throw error;
      await this.#load(items);
    }
  }

  #begin(): { readonly items: Set<TItem>; readonly loaded: Promise<void> } {
    const items = new Set<TItem>();
    const loaded = this.#running.then(() => {
      this.#next = null;
      // A load for several callers belongs to none of them.
      return detached(() => this.#load([...items]));
    });
    this.#running = loaded.catch(() => {});
    return { items, loaded };
  }
}
