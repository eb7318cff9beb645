import type { Uuid } from '../../json/index.js';
import {
  ModelSources,
  retainedSnapshots,
  type IndexedModel,
  type ModelSnapshot,
  type PerspectiveCommit,
  type StoppedStream,
  type StoredEvent,
} from '../../storage/index.js';
import { hasSource } from './has-source.js';
import type { HeldModel } from './held-model.js';
import type { NamedPerspective } from '../perspective.js';

/** A snapshot is stored each time a model has processed this many events. */
export const eventsPerSnapshot = 100;

/** How many characters a source counts as. */
const charactersOfSource = 150;

/** The changes that one or more batches make to models, to be committed together. */
export class PendingChanges {
  readonly #named: NamedPerspective;
  readonly #models = new Map<string, HeldModel>();
  readonly #sources = new ModelSources();
  /** By the id of the model, in the order of their events. */
  readonly #snapshots = new Map<string, readonly ModelSnapshot[]>();
  /** The event after which the snapshots of a model are invalid; null: all of them are. */
  readonly #rewound = new Map<string, Uuid | null>();
  readonly #stopped = new Map<Uuid, StoppedStream>();
  #snapshotCount = 0;
  #snapshotCharacters = 0;

  constructor(named: NamedPerspective) {
    this.#named = named;
  }

  /** The changed models, by their ids. */
  get models(): ReadonlyMap<string, HeldModel> {
    return this.#models;
  }

  /** How many rows there are to commit. */
  get rows(): number {
    return this.#models.size + this.#sources.count + this.#snapshotCount;
  }

  /** The size of everything except the models. */
  get characters(): number {
    return this.#sources.count * charactersOfSource + this.#snapshotCharacters;
  }

  /** Applies an event to a model. If it throws, the model may be partly changed. */
  apply(event: StoredEvent, model: HeldModel): void {
    const { streamId, position, envelope } = event;
    // After an event whose id is below that of an earlier one, the id of a snapshot between them does not tell which events it contains.
    if (envelope.id <= model.lastEventId) this.#outdate(model.id, envelope.id);
    model.apply(event);
    this.addModel(model);
    if (hasSource(this.#named, model, event)) this.#sources.addEvent(model.id, streamId, position, envelope.id);
    if (model.version % eventsPerSnapshot === 0) this.#addSnapshot(model.snapshot());
  }

  addModel(model: HeldModel): void {
    if (model.isChanged) return;
    model.isChanged = true;
    this.#models.set(model.id, model);
  }

  /** Adds a model that is replayed from a snapshot; null: from its first event. */
  rewind(model: HeldModel, snapshot: ModelSnapshot | null): void {
    this.#outdate(model.id, snapshot?.eventId ?? null);
    this.addModel(model);
  }

  stop(stream: StoppedStream): void {
    this.#stopped.set(stream.streamId, stream);
  }

  /** Everything except the models, which are written separately. */
  commit(): Pick<PerspectiveCommit, 'sources' | 'rewound' | 'snapshots' | 'stopped'> {
    return {
      sources: this.#sources.all(),
      rewound: [...this.#rewound].map(([id, afterEventId]) => ({ id, afterEventId })),
      snapshots: [...this.#snapshots.values()].flat(),
      stopped: [...this.#stopped.values()],
    };
  }

  /** Writes the changed models. Throws if one cannot be written. */
  *writeModels(): Iterable<IndexedModel> {
    for (const model of this.#models.values()) {
      const written = model.written();
      model.isChanged = false;
      yield written;
    }
  }

  #outdate(id: string, afterEventId: Uuid | null): void {
    const known = this.#rewound.get(id);
    if (known === undefined || afterEventId === null || (known !== null && afterEventId < known)) {
      this.#rewound.set(id, afterEventId);
    }
    const right = this.#snapshots.get(id)?.filter(({ eventId }) => afterEventId !== null && eventId <= afterEventId);
    if (right !== undefined) this.#setSnapshots(id, right);
  }

  /** Adds a snapshot and drops those that the commit would delete. */
  #addSnapshot(snapshot: ModelSnapshot): void {
    const others = (this.#snapshots.get(snapshot.id) ?? []).filter(({ eventId }) => eventId !== snapshot.eventId);
    const all = [...others, snapshot].toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
    this.#setSnapshots(snapshot.id, all.slice(-retainedSnapshots));
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
