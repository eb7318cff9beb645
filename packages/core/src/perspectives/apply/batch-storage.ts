import type { LogPlace, PerspectiveStorage, StoredEvent } from '../../storage/index.js';

/** The part of a storage that processing a batch needs. */
export interface BatchStorage extends Pick<
  PerspectiveStorage,
  'readModels' | 'readStopped' | 'readSources' | 'readSnapshot' | 'commitPerspective'
> {
  /** Applies a batch to models in memory. False: the batch needs a rewind or cannot be applied that way, and nothing has changed. */
  applyHeld?(events: readonly StoredEvent[], upTo: LogPlace): Promise<boolean>;
}
