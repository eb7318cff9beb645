import type { ArchiveFile } from '../archive/archive-file.js';
import type { ArchiveStore } from '../archive/archive-store.js';
import type { LogPlace } from '../log-place.js';

/** Why events up to a place must not be archived: a perspective has not processed them, or messages about them wait in the outbox. */
export type ArchiveObstacle =
  | { readonly kind: 'perspective'; readonly perspective: string }
  | { readonly kind: 'outbox'; readonly messages: number };

/**
 * The capability `archive`: the bodies of old events are in files, and the database has everything else of them. Readers get them with their
 * bodies.
 *
 * Without it, all events stay in the storage.
 */
export interface StorageArchive {
  /** Reads files from this store from now on. */
  use(store: ArchiveStore): void;
  /** The files in the order of the log. */
  readFiles(): Promise<readonly ArchiveFile[]>;
  /** Why the events up to a place must not be archived; null: they may be. */
  findObstacle(upTo: LogPlace): Promise<ArchiveObstacle | null>;
  /**
   * Records a file and removes the bodies of its events, or does nothing and throws. The caller has read the file back and compared it. The
   * database rejects every other change of an event.
   */
  commitFile(file: ArchiveFile, sequences: readonly number[]): Promise<void>;
}
