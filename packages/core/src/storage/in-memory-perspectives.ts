import { PerspectiveMovedError } from './perspective-moved-error.js';
import type {
  ModelPage,
  ModelRecord,
  PerspectiveCommit,
  PerspectiveStorage,
  StoppedStream,
} from './perspective-storage.js';

interface Table {
  progress: number;
  readonly models: Map<string, ModelRecord>;
  readonly stopped: Map<string, StoppedStream>;
}

/** Perspectives in this process's memory. */
export class InMemoryPerspectives implements PerspectiveStorage {
  readonly #tables = new Map<string, Table>();

  readProgress(perspective: string): Promise<number> {
    return Promise.resolve(this.#table(perspective).progress);
  }

  readModels(perspective: string, keys: readonly string[]): Promise<readonly ModelRecord[]> {
    const { models } = this.#table(perspective);
    return Promise.resolve(keys.map((key) => models.get(key)).filter((model) => model !== undefined));
  }

  listModels(perspective: string, { offset, limit }: ModelPage): Promise<readonly ModelRecord[]> {
    const sorted = [...this.#table(perspective).models.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
    return Promise.resolve(sorted.slice(offset, offset + limit));
  }

  readStopped(perspective: string): Promise<readonly StoppedStream[]> {
    return Promise.resolve([...this.#table(perspective).stopped.values()]);
  }

  commitPerspective({ perspective, from, to, models, removed, stopped }: PerspectiveCommit): void {
    const table = this.#table(perspective);
    if (table.progress !== from) throw new PerspectiveMovedError(perspective, from, table.progress);
    table.progress = to;
    for (const model of models) table.models.set(model.key, model);
    for (const key of removed) table.models.delete(key);
    for (const stream of stopped) table.stopped.set(stream.streamId, stream);
  }

  #table(perspective: string): Table {
    let table = this.#tables.get(perspective);
    if (table === undefined) {
      table = { progress: -1, models: new Map(), stopped: new Map() };
      this.#tables.set(perspective, table);
    }
    return table;
  }
}
