import type { LogPlace, PerspectiveStorage, StoredEvent } from '../../storage/index.js';

/** What taking a batch asks of a storage. */
export interface BatchStorage extends Pick<
  PerspectiveStorage,
  'readModels' | 'readStopped' | 'readSources' | 'readSnapshot' | 'commitPerspective'
> {
  /** Takes a batch itself, when it holds the models and the batch is nothing but usual; otherwise it has done nothing, and says false. */
  applyHeld?(events: readonly StoredEvent[], upTo: LogPlace): Promise<boolean>;
}
