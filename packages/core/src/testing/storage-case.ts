import type { Storage } from '../storage/index.js';

/** Opens a storage on the database of one case, which is empty at first; the test closes all of them afterwards. */
export type OpenStorage = () => Promise<Storage>;

/** One case of the storage contract. `run` throws an assertion error if the storage does not comply. */
export interface StorageCase {
  readonly name: string;
  readonly run: (open: OpenStorage) => Promise<void>;
}
