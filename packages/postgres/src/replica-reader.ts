import { isMissingTable, isOfOtherColumns } from './failures.js';
import type { Queryable, Reader, Value } from './reader.js';
import type { Row } from './row.js';

/** Reads from a replica. A replica that does not have a new table or column yet is replaced by the primary for this statement. */
export class ReplicaReader implements Queryable {
  readonly #replica: Reader;
  readonly #primary: Reader;
  readonly #open: () => Promise<void>;

  /** `open` rejects if the primary must not be used; then its models on the replica must not be served either. */
  constructor(replica: Reader, primary: Reader, open: () => Promise<void>) {
    this.#replica = replica;
    this.#primary = primary;
    this.#open = open;
  }

  async rows(name: string | null, text: string, values: readonly Value[] = []): Promise<Row[]> {
    await this.#open();
    try {
      return await this.#replica.rows(name, text, values);
    } catch (error) {
      if (!isMissingTable(error) && !isOfOtherColumns(error)) throw error;
      return await this.#primary.rows(name, text, values);
    }
  }
}
