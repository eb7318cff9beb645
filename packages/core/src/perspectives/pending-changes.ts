import type { Uuid } from '../json/index.js';
import {
  snapshotsKept,
  type IndexedModel,
  type ModelSnapshot,
  type ModelSource,
  type PerspectiveCommit,
  type Progress,
  type StoppedStream,
} from '../storage/index.js';
import type { HeldModel } from './held-model.js';

/** How many characters a stream counts that a model has events of. */
const charactersOfSource = 150;

/** What batches did that is not kept yet, as one. */
export class PendingChanges {
  from: Progress = { sequence: -1, revision: 0 };
  readonly models = new Map<string, IndexedModel | HeldModel>();
  readonly #sources = new Map<string, Map<Uuid, Uuid>>();
  /** By key, in the order of their events. */
  readonly #snapshots = new Map<string, readonly ModelSnapshot[]>();
  /** The event behind which a model was made anew; the lowest of several. */
  readonly #rewound = new Map<string, Uuid | null>();
  readonly #stopped = new Map<Uuid, StoppedStream>();
  #sourceCount = 0;
  #snapshotCount = 0;
  #snapshotCharacters = 0;

  /** How many rows there are to keep. */
  get rows(): number {
    return this.models.size + this.#sourceCount + this.#snapshotCount;
  }

  /** How much it is beside the models. */
  get characters(): number {
    return this.#sourceCount * charactersOfSource + this.#snapshotCharacters;
  }

  add({ models, sources, rewound, snapshots, stopped }: PerspectiveCommit): void {
    for (const model of models) this.models.set(model.key, model);
    for (const { key, streamId, lastEventId } of sources) this.addSource(key, streamId, lastEventId);
    for (const { key, afterEventId } of rewound) this.#rewind(key, afterEventId);
    for (const snapshot of snapshots) this.addSnapshot(snapshot);
    for (const stream of stopped) this.#stopped.set(stream.streamId, stream);
  }

  sourcesOf(key: string, afterEventId: Uuid | null): Uuid[] {
    const streams = [...(this.#sources.get(key) ?? [])];
    return streams.filter(([, last]) => afterEventId === null || last > afterEventId).map(([streamId]) => streamId);
  }

  snapshotBefore(key: string, eventId: Uuid): ModelSnapshot | undefined {
    return this.#snapshots.get(key)?.findLast((snapshot) => snapshot.eventId < eventId);
  }

  /** Before which event snapshots that are kept are still right; null: none is. */
  validBefore(key: string, eventId: Uuid): Uuid | null {
    const after = this.#rewound.get(key);
    if (after === undefined) return eventId;
    if (after === null) return null;
    return after < eventId ? nextUuid(after) : eventId;
  }

  commitOf(perspective: string, to: number): Omit<PerspectiveCommit, 'models'> {
    const sources: ModelSource[] = [];
    for (const [key, streams] of this.#sources) {
      for (const [streamId, lastEventId] of streams) sources.push({ key, streamId, lastEventId });
    }
    return {
      perspective,
      from: this.from,
      to,
      sources,
      rewound: [...this.#rewound].map(([key, afterEventId]) => ({ key, afterEventId })),
      snapshots: [...this.#snapshots.values()].flat(),
      stopped: [...this.#stopped.values()],
      resumed: [],
    };
  }

  addSource(key: string, streamId: Uuid, lastEventId: Uuid): void {
    let streams = this.#sources.get(key);
    if (streams === undefined) this.#sources.set(key, (streams = new Map()));
    const known = streams.get(streamId);
    if (known === undefined) this.#sourceCount++;
    if (known === undefined || known < lastEventId) streams.set(streamId, lastEventId);
  }

  #rewind(key: string, afterEventId: Uuid | null): void {
    const known = this.#rewound.get(key);
    if (known === undefined || afterEventId === null || (known !== null && afterEventId < known)) {
      this.#rewound.set(key, afterEventId);
    }
    const right = this.#snapshots.get(key)?.filter(({ eventId }) => afterEventId !== null && eventId <= afterEventId);
    if (right !== undefined) this.#setSnapshots(key, right);
  }

  /** Those that would be thrown away are not kept at all. */
  addSnapshot(snapshot: ModelSnapshot): void {
    const others = (this.#snapshots.get(snapshot.key) ?? []).filter(({ eventId }) => eventId !== snapshot.eventId);
    const all = [...others, snapshot].toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
    this.#setSnapshots(snapshot.key, all.slice(-snapshotsKept));
  }

  #setSnapshots(key: string, snapshots: readonly ModelSnapshot[]): void {
    const before = this.#snapshots.get(key) ?? [];
    this.#snapshots.set(key, snapshots);
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
