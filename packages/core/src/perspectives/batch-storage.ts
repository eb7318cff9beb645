import type { PerspectiveStorage } from '../storage/index.js';

/** What taking a batch asks of a storage. */
export type BatchStorage = Pick<
  PerspectiveStorage,
  'readModels' | 'readStopped' | 'readSources' | 'readSnapshot' | 'commitPerspective'
>;
