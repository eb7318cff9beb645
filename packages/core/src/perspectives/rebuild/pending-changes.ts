import type { Uuid } from '../../json/index.js';
import {
  ModelSources,
  snapshotsKept,
  type IndexedModel,
  type ModelSnapshot,
  type ModelTables,
  type PerspectiveCommit,
  type Progress,
  type StoppedStream,
} from '../../storage/index.js';
import type { HeldModel } from './held-model.js';

/** How many characters a source counts as. */
const charactersOfSource = 150;

/** The changes of several batches that are not committed yet, merged into one commit. */
export class PendingChanges {
  from: Progress = { sequence: -1, revision: 0 };
  readonly models = new Map<string, IndexedModel | HeldModel>();
  readonly sources = new ModelSources();
  /** By the id of the model, in the order of their events. */
  readonly #snapshots = new Map<string, readonly ModelSnapshot[]>();
  /** The event after which a model was replayed; the lowest of several. */
  readonly #rewound = new Map<string, Uuid | null>();
  readonly #stopped = new Map<Uuid, StoppedStream>();
  #snapshotCount = 0;
  #snapshotCharacters = 0;

  /** How many rows there are to commit. */
  get rows(): number {
    return this.models.size + this.sources.count + this.#snapshotCount;
  }

  /** The size of everything except the models. */
  get characters(): number {
    return this.sources.count * charactersOfSource + this.#snapshotCharacters;
  }

  add({ models, sources, rewound, snapshots, stopped }: PerspectiveCommit): void {
    for (const model of models) this.models.set(model.id, model);
    for (const source of sources) this.sources.add(source);
    for (const { id, afterEventId } of rewound) this.outdate(id, afterEventId);
    for (const snapshot of snapshots) this.addSnapshot(snapshot);
    for (const stream of stopped) this.#stopped.set(stream.streamId, stream);
  }

  snapshotBefore(id: string, eventId: Uuid): ModelSnapshot | undefined {
    return this.#snapshots.get(id)?.findLast((snapshot) => snapshot.eventId < eventId);
  }

  /** The event up to which stored snapshots are valid; null: none is. */
  validBefore(id: string, eventId: Uuid): Uuid | null {
    const after = this.#rewound.get(id);
    if (after === undefined) return eventId;
    if (after === null) return null;
    return after < eventId ? nextUuid(after) : eventId;
  }

  commitOf(tables: ModelTables, to: number): Omit<PerspectiveCommit, 'models'> {
    return {
      perspective: tables.perspective,
      tables,
      from: this.from,
      to,
      sources: this.sources.all(),
      rewound: [...this.#rewound].map(([id, afterEventId]) => ({ id, afterEventId })),
      snapshots: [...this.#snapshots.values()].flat(),
      stopped: [...this.#stopped.values()],
      resumed: [],
    };
  }

  /** Invalidates the snapshots of a model after an event; null: all of them. */
  outdate(id: string, afterEventId: Uuid | null): void {
    const known = this.#rewound.get(id);
    if (known === undefined || afterEventId === null || (known !== null && afterEventId < known)) {
      this.#rewound.set(id, afterEventId);
    }
    const right = this.#snapshots.get(id)?.filter(({ eventId }) => afterEventId !== null && eventId <= afterEventId);
    if (right !== undefined) this.#setSnapshots(id, right);
  }

  /** Adds a snapshot and drops those that the commit would delete. */
  addSnapshot(snapshot: ModelSnapshot): void {
    const others = (this.#snapshots.get(snapshot.id) ?? []).filter(({ eventId }) => eventId !== snapshot.eventId);
    const all = [...others, snapshot].toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
    this.#setSnapshots(snapshot.id, all.slice(-snapshotsKept));
  }

  #setSnapshots(id: string, snapshots: readonly ModelSnapshot[]): void {
    const before = this.#snapshots.get(id) ?? [];
    this.#snapshots.set(id, snapshots);
    this.#snapshotCount += snapshots.length - before.length;
    this.#snapshotCharacters += charactersOf(snapshots) - charactersOf(before);
  }
}

function charactersOf(snapshots: readonly ModelSnapshot[]): number {
  return snapshots.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
}

/** The lowest id above another. */
function nextUuid(id: Uuid): Uuid {
  const digits = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as Uuid;
}
