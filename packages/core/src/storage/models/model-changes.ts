/** A commit that has changed models of a perspective, or may have. */
export interface ModelChange {
  readonly perspective: string;
  /** The ids of the models that it has changed. Null: any model may have changed. */
  readonly ids: readonly string[] | null;
  /** The revision of the perspective after the commit. Null: unknown, or the perspective is divided. */
  readonly revision: number | null;
}

/** Called after a commit has changed models. */
export type ModelListener = (change: ModelChange) => void;

/** How readers learn that models have changed. */
export interface ModelChanges {
  /**
   * Calls `listener` after commits of this host and of other hosts. After a time in which commits could be missed, such as a lost connection, it
   * is called for every perspective without ids. A storage that cannot notice that must be polled, so listeners also compare the progress.
   */
  listen(listener: ModelListener): void;
  /** Resolves when everything that is committed now survives a crash of the database. Commits of models do not wait for the disk. */
  flush(): Promise<void>;
}

/** Calls the listeners of one storage. */
export class ModelListeners {
  readonly #listeners: ModelListener[] = [];

  get isEmpty(): boolean {
    return this.#listeners.length === 0;
  }

  add(listener: ModelListener): void {
    this.#listeners.push(listener);
  }

  tell(change: ModelChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** Any model of these perspectives may have changed. */
  tellAll(perspectives: Iterable<string>): void {
    for (const perspective of perspectives) this.tell({ perspective, ids: null, revision: null });
  }
}
