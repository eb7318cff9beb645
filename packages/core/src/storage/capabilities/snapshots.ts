import type { Uuid } from '../../json/index.js';

/** The state of a stream after one of its events, as a database stores it. */
export interface SnapshotRecord {
  readonly decider: string;
  readonly streamId: Uuid;
  /** The version of the decider and of its state. */
  readonly version: string;
  /** The position and the id of the event. */
  readonly position: number;
  readonly eventId: Uuid;
  /** JSON text. */
  readonly state: string;
  readonly checksum: string;
}

/**
 * The capability `snapshots`: the database stores states of long streams.
 *
 * Without it, loading a stream reads all its events.
 */
export interface StorageSnapshots {
  /** The snapshot of a stream for one version of a decider; null: there is none. */
  read(decider: string, streamId: Uuid, version: string): Promise<SnapshotRecord | null>;
  /** Stores a snapshot, unless one of the same version at a later position is stored. Deletes those of other versions before a position. */
  write(snapshot: SnapshotRecord, outdatedBefore: number): Promise<void>;
}
