import type { Uuid } from '../json/index.js';
import { queryModels } from './in-memory-query.js';
import type { ModelQuery } from './model-query.js';
import { PerspectiveMovedError } from './perspective-moved-error.js';
import {
  isAt,
  snapshotsKept,
  type BesideTables,
  type IndexedModel,
  type ModelRecord,
  type ModelSnapshot,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type Progress,
  type StoppedStream,
} from './perspective-storage.js';
import { perspectiveOfName, type PerspectiveColumn, type PerspectiveTable } from './perspective-table.js';

/** Perspectives in this process's memory. */
export class InMemoryPerspectives implements PerspectiveStorage {
  readonly #tables = new Map<string, Table>();
  readonly #columns = new Map<string, readonly PerspectiveColumn[]>();

  define(tables: readonly PerspectiveTable[]): void {
    for (const { perspective, columns } of tables) {
      const known = this.#columns.get(perspective);
      this.#columns.set(perspective, columns);
      if (known === undefined || JSON.stringify(known) === JSON.stringify(columns)) continue;
      this.clearPerspective(perspective);
      for (const name of this.#besidesOf(perspective)) this.#tables.delete(name);
    }
  }

  readProgress(perspective: string): Promise<Progress> {
    const { sequence, revision } = this.#table(perspective);
    return Promise.resolve({ sequence, revision });
  }

  readModels(perspective: string, keys: readonly string[]): Promise<readonly ModelRecord[]> {
    const { models } = this.#table(perspective);
    return Promise.resolve(keys.map((key) => models.get(key)).filter((model) => model !== undefined));
  }

  listModels(perspective: string, query: ModelQuery): Promise<readonly ModelRecord[]> {
    const columns = this.#columns.get(perspectiveOfName(perspective)) ?? [];
    return Promise.resolve(queryModels(this.#table(perspective).models.values(), columns, query));
  }

  readStopped(perspective: string): Promise<readonly StoppedStream[]> {
    return Promise.resolve([...this.#table(perspective).stopped.values()]);
  }

  readSources(perspective: string, key: string, afterEventId: Uuid | null): Promise<readonly Uuid[]> {
    const sources = [...(this.#table(perspective).sources.get(key) ?? [])];
    const found = sources.filter(([, last]) => afterEventId === null || last > afterEventId);
    return Promise.resolve(found.map(([streamId]) => streamId));
  }

  readKeys(perspective: string, streamId: Uuid): Promise<readonly string[]> {
    const found = [...this.#table(perspective).sources].filter(([, streams]) => streams.has(streamId));
    return Promise.resolve(found.map(([key]) => key));
  }

  readSnapshot(perspective: string, key: string, beforeEventId: Uuid): Promise<ModelSnapshot | null> {
    const snapshots = this.#table(perspective).snapshots.get(key) ?? [];
    return Promise.resolve(snapshots.findLast(({ eventId }) => eventId < beforeEventId) ?? null);
  }

  commitPerspective({ perspective, from, to, ...changes }: PerspectiveCommit): void {
    const table = this.#tableAt(perspective, from);
    table.sequence = to;
    table.revision++;
    for (const model of changes.models) table.models.set(model.key, model);
    for (const { key, streamId, lastEventId } of changes.sources) {
      const streams = table.sources.get(key) ?? new Map<Uuid, Uuid>();
      if ((streams.get(streamId) ?? '') < lastEventId) streams.set(streamId, lastEventId);
      table.sources.set(key, streams);
    }
    for (const { key, afterEventId } of changes.rewound) {
      const kept = table.snapshots.get(key)?.filter(({ eventId }) => afterEventId !== null && eventId <= afterEventId);
      if (kept !== undefined) table.snapshots.set(key, kept);
    }
    for (const snapshot of changes.snapshots) {
      const all = [...(table.snapshots.get(snapshot.key) ?? []), snapshot];
      all.sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
      table.snapshots.set(snapshot.key, all.slice(-snapshotsKept));
    }
    for (const streamId of changes.resumed) table.stopped.delete(streamId);
    for (const stream of changes.stopped) table.stopped.set(stream.streamId, stream);
  }

  replacePerspective(perspective: string, by: string, from: Progress, byFrom: Progress): void {
    const replaced = this.#tableAt(perspective, from);
    const beside = this.#tableAt(by, byFrom);
    // Above that of any of its models, as after a commit.
    const revision = Math.max(replaced.revision, beside.revision) + 1;
    this.#tables.set(perspective, { ...beside, revision });
    this.#tables.delete(by);
  }

  clearPerspective(perspective: string): void {
    this.#tables.set(perspective, emptyTable(this.#table(perspective).revision + 1));
  }

  readBesides(perspective: string): Promise<readonly BesideTables[]> {
    const besides = this.#besidesOf(perspective);
    return Promise.resolve(besides.map((name) => ({ name, sequence: this.#table(name).sequence, isAlike: true })));
  }

  removePerspective(perspective: string): void {
    this.#tables.delete(perspective);
  }

  #besidesOf(perspective: string): string[] {
    return [...this.#tables.keys()].filter((name) => name !== perspective && perspectiveOfName(name) === perspective);
  }

  #tableAt(perspective: string, from: Progress): Table {
    const table = this.#table(perspective);
    if (!isAt(table, from)) throw new PerspectiveMovedError(perspective, from.sequence, table.sequence);
    return table;
  }

  #table(perspective: string): Table {
    let table = this.#tables.get(perspective);
    if (table === undefined) {
      // Tables beside others begin at their revision, so that revisions never go back when they take their place.
      table = emptyTable(this.#tables.get(perspectiveOfName(perspective))?.revision ?? 0);
      this.#tables.set(perspective, table);
    }
    return table;
  }
}

interface Table {
  sequence: number;
  revision: number;
  readonly models: Map<string, IndexedModel>;
  /** The last event of each stream, by key. */
  readonly sources: Map<string, Map<Uuid, Uuid>>;
  /** By key, in the order of their events. */
  readonly snapshots: Map<string, readonly ModelSnapshot[]>;
  readonly stopped: Map<string, StoppedStream>;
}

function emptyTable(revision: number): Table {
  const [models, sources, snapshots, stopped] = [new Map(), new Map(), new Map(), new Map()] as const;
  return { sequence: -1, revision, models, sources, snapshots, stopped };
}
