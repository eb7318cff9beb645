import type { Uuid } from '../../json/index.js';
import type { OutboxStanding, StorageBacklog } from '../capabilities/backlog.js';
import type { DeadLetterCause, DeadLetterRecord } from '../dead-letter-record.js';
import type { OutboxLane, OutgoingRecord } from '../outgoing-record.js';

/** Counts what waits in memory. */
export class InMemoryBacklog implements StorageBacklog {
  readonly #outbox: Readonly<Record<OutboxLane, ReadonlyMap<Uuid, OutgoingRecord>>>;
  readonly #deadLetters: ReadonlyMap<Uuid, DeadLetterRecord>;

  constructor(
    outbox: Readonly<Record<OutboxLane, ReadonlyMap<Uuid, OutgoingRecord>>>,
    deadLetters: ReadonlyMap<Uuid, DeadLetterRecord>,
  ) {
    this.#outbox = outbox;
    this.#deadLetters = deadLetters;
  }

  readOutbox(lane: OutboxLane, most: number): Promise<OutboxStanding> {
    const { value: first = null } = this.#outbox[lane].keys().next();
    return Promise.resolve({ waiting: Math.min(this.#outbox[lane].size, most), first });
  }

  countDeadLetters(most: number): Promise<ReadonlyMap<DeadLetterCause, number>> {
    const counts = new Map<DeadLetterCause, number>();
    for (const { cause } of [...this.#deadLetters.values()].slice(0, most)) {
      counts.set(cause, (counts.get(cause) ?? 0) + 1);
    }
    return Promise.resolve(counts);
  }
}
