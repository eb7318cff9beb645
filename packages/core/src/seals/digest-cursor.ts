import { ServiceError } from '../errors/index.js';
import type { LogPage, LogPlace } from '../storage/index.js';
import { EventDigests } from './event-digests.js';

/** Some events of a page that follow each other. */
export interface DigestRange {
  readonly digests: EventDigests;
  readonly from: number;
  readonly to: number;
}

/** Reads the events of a log and computes their digests. Ends at a page that cannot be read. */
export class DigestCursor {
  readonly #pages: AsyncIterator<LogPage>;
  #digests: EventDigests | null = null;
  #at = 0;
  /** Why the next page cannot be read; null: it can. */
  failure: Error | null = null;

  constructor(pages: AsyncIterable<LogPage>) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  /** The next events up to a place, or all of a page; null: there are none. */
  async next(upTo: LogPlace | null = null): Promise<DigestRange | null> {
    if (this.#digests === null || this.#at === this.#digests.count) await this.#read();
    if (this.#digests === null) return null;
    const from = this.#at;
    this.#at = upTo === null ? this.#digests.count : this.#digests.firstAfter(upTo, from);
    return this.#at === from ? null : { digests: this.#digests, from, to: this.#at };
  }

  async close(): Promise<void> {
    await this.#pages.return?.();
  }

  async #read(): Promise<void> {
    this.#at = 0;
    this.#digests = null;
    try {
      const { value, done } = await this.#pages.next();
      if (done !== true) this.#digests = new EventDigests(value);
    } catch (error) {
      if (error instanceof ServiceError || !(error instanceof Error)) throw error;
      this.failure = error;
    }
  }
}
