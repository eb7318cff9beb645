import type { Storage } from '../storage/index.js';

/** Opens a storage on the database of one case, which is empty when the case begins; the caller closes all of them after it. */
export type OpenStorage = () => Promise<Storage>;

/** One promise of a storage. `run` throws an assertion error when the storage breaks it. */
export interface StorageCase {
  readonly name: string;
  readonly run: (open: OpenStorage) => Promise<void>;
}
