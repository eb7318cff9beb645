import type { Uuid } from '@svc/core';
import type { DeadLetterCause, OutboxLane, OutboxStanding, StorageBacklog } from '@svc/core/storage';
import type { Connection } from './connection.js';

/** Counts what waits in a database file. */
export class SqliteBacklog implements StorageBacklog {
  readonly #open: () => Promise<Connection>;

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
  }

  async readOutbox(lane: OutboxLane, most: number): Promise<OutboxStanding> {
    const connection = await this.#open();
    const row = await connection.unlocked(() => connection.sql.countOutgoing.get(lane, most));
    return { waiting: row!['waiting'] as number, first: row!['first'] as Uuid | null };
  }

  async countDeadLetters(most: number): Promise<ReadonlyMap<DeadLetterCause, number>> {
    const connection = await this.#open();
    const rows = await connection.unlocked(() => connection.sql.countDeadLettersByCause.all(most));
    return new Map(rows.map((row) => [row['cause'] as DeadLetterCause, row['letters'] as number]));
  }
}
