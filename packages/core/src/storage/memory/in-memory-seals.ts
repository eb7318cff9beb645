import type { SealHead, SealRecord, StorageSeals } from '../capabilities/seals.js';
import type { OutgoingRecord } from '../outgoing-record.js';

/** The seals of a log, in memory. */
export class InMemorySeals implements StorageSeals {
  readonly #seals: SealRecord[] = [];
  readonly #anchored = new Map<string, number>();
  readonly #queue: (outgoing: readonly OutgoingRecord[]) => void;

  constructor(queue: (outgoing: readonly OutgoingRecord[]) => void) {
    this.#queue = queue;
  }

  readLast(): Promise<SealHead | null> {
    return Promise.resolve(this.#seals.at(-1) ?? null);
  }

  read(after: number, limit: number): Promise<readonly SealRecord[]> {
    return Promise.resolve(this.#seals.slice(after, after + limit));
  }

  append(seal: SealRecord, outgoing: readonly OutgoingRecord[]): Promise<boolean> {
    if (seal.number !== this.#seals.length + 1) return Promise.resolve(false);
    this.#seals.push(seal);
    this.#queue(outgoing);
    return Promise.resolve(true);
  }

  readAnchored(): Promise<ReadonlyMap<string, number>> {
    return Promise.resolve(new Map(this.#anchored));
  }

  recordAnchored(anchor: string, number: number): Promise<void> {
    this.#anchored.set(anchor, Math.max(number, this.#anchored.get(anchor) ?? 0));
    return Promise.resolve();
  }
}
