import {
  ModelListeners,
  type ModelChanges,
  type ModelListener,
  type ModelTables,
  type PerspectiveCommit,
} from '@svc/core/storage';
import type { Connection } from './connection.js';

/** Tells readers of this process about commits to models in a file: exactly about its own ones, and that there may be some of other processes. */
export class FileChanges implements ModelChanges {
  readonly #open: () => Promise<Connection>;
  readonly #perspectives: () => Iterable<string>;
  readonly #listeners = new ModelListeners();

  constructor(open: () => Promise<Connection>, perspectives: () => Iterable<string>) {
    this.#open = open;
    this.#perspectives = perspectives;
  }

  listen(listener: ModelListener): void {
    this.#listeners.add(listener);
  }

  async flush(): Promise<void> {
    await (await this.#open()).flush();
  }

  /** Called after a commit of this process. Tables that are rebuilding or migrating have no readers. */
  committed({ role }: ModelTables, { perspective, models, from }: PerspectiveCommit): void {
    if (models.length === 0 || (role !== 'serving' && role !== 'retained')) return;
    this.#listeners.tell({ perspective, ids: models.map(({ id }) => id), revision: from.revision + 1 });
  }

  /** Called when another process has written to the file. */
  lookAgain(): void {
    this.#listeners.tellAll(this.#perspectives());
  }
}
