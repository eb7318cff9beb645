import type { Uuid } from '../json/index.js';
import type { AnyRecord } from './reaction-parts.js';

/** The streams that have failed. What happened during this term is known here, and newer than what is read from the storage. */
export class KnownFailures {
  /** Whether streams have failed in earlier terms. */
  readonly #hasEarlier: boolean;
  readonly #find: (streamIds: readonly Uuid[]) => Promise<readonly Uuid[]>;
  /** The streams that failed or caught up during this term. */
  readonly #known = new Map<Uuid, boolean>();

  constructor(hasEarlier: boolean, find: (streamIds: readonly Uuid[]) => Promise<readonly Uuid[]>) {
    this.#hasEarlier = hasEarlier;
    this.#find = find;
  }

  /** Reads which streams of some events have failed in earlier terms. */
  async readAmong(records: readonly AnyRecord[]): Promise<ReadonlySet<Uuid>> {
    const asked = this.#hasEarlier ? records.filter(({ streamId }) => !this.#known.has(streamId)) : [];
    if (asked.length === 0) return new Set();
    return new Set(await this.#find([...new Set(asked.map(({ streamId }) => streamId))]));
  }

  /** Whether a stream has failed, after `readAmong` has returned `read`. */
  has(streamId: Uuid, read: ReadonlySet<Uuid>): boolean {
    return this.#known.get(streamId) ?? read.has(streamId);
  }

  set(streamId: Uuid, isFailed: boolean): void {
    this.#known.set(streamId, isFailed);
  }
}
