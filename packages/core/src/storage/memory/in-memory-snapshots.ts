import type { Uuid } from '../../json/index.js';
import type { SnapshotRecord, StorageSnapshots } from '../capabilities/snapshots.js';

/** The snapshots of deciders, in memory. */
export class InMemorySnapshots implements StorageSnapshots {
  #snapshots: readonly SnapshotRecord[] = [];

  read(decider: string, streamId: Uuid, version: string): Promise<SnapshotRecord | null> {
    const isAsked = (known: SnapshotRecord): boolean =>
      known.decider === decider && known.streamId === streamId && known.version === version;
    return Promise.resolve(this.#snapshots.find(isAsked) ?? null);
  }

  /** Removes the snapshots whose state satisfies a condition, and returns their number. */
  remove(isRemoved: (state: string) => boolean): number {
    const before = this.#snapshots.length;
    this.#snapshots = this.#snapshots.filter(({ state }) => !isRemoved(state));
    return before - this.#snapshots.length;
  }

  write(snapshot: SnapshotRecord, outdatedBefore: number): Promise<void> {
    const { decider, streamId, version, position } = snapshot;
    const ofStream = (known: SnapshotRecord): boolean => known.decider === decider && known.streamId === streamId;
    const isLater = (known: SnapshotRecord): boolean => known.version === version && known.position > position;
    if (this.#snapshots.some((known) => ofStream(known) && isLater(known))) return Promise.resolve();
    const others = this.#snapshots.filter(
      (known) => !ofStream(known) || (known.version !== version && known.position >= outdatedBefore),
    );
    this.#snapshots = [...others, snapshot];
    return Promise.resolve();
  }
}
