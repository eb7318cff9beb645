import { ServiceError } from '../errors/index.js';
import type { StoredRecord } from '../storage/index.js';

/** Reads the events of a log one by one. Ends at a row that cannot be read. */
export class RecordCursor {
  readonly #records: AsyncIterator<StoredRecord>;
  #next: StoredRecord | null | undefined;
  /** Why the next row cannot be read; null: it can. */
  failure: Error | null = null;

  constructor(records: AsyncIterable<StoredRecord>) {
    this.#records = records[Symbol.asyncIterator]();
  }

  /** The next event; null: there is none. */
  async peek(): Promise<StoredRecord | null> {
    return this.#next === undefined ? await this.advance() : this.#next;
  }

  /** The event after the next one. */
  async advance(): Promise<StoredRecord | null> {
    try {
      const { value, done } = await this.#records.next();
      this.#next = done === true ? null : value;
    } catch (error) {
      if (error instanceof ServiceError || !(error instanceof Error)) throw error;
      this.#next = null;
      this.failure = error;
    }
    return this.#next;
  }

  async close(): Promise<void> {
    await this.#records.return?.();
  }
}
