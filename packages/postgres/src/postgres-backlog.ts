import type { Uuid } from '@svc/core';
import type { DeadLetterCause, OutboxLane, OutboxStanding, StorageBacklog } from '@svc/core/storage';
import type { Reader } from './reader.js';

/** Counts what waits in a PostgreSQL database. */
export class PostgresBacklog implements StorageBacklog {
  readonly #reader: Reader;
  readonly #open: () => Promise<void>;

  constructor(reader: Reader, open: () => Promise<void>) {
    this.#reader = reader;
    this.#open = open;
  }

  async readOutbox(lane: OutboxLane, most: number): Promise<OutboxStanding> {
    await this.#open();
    const [row] = await this.#reader.rows('svc-backlog-outbox', outboxStatement, [lane, most]);
    return { waiting: Number(row!['waiting']), first: (row!['first'] ?? null) as Uuid | null };
  }

  async countDeadLetters(most: number): Promise<ReadonlyMap<DeadLetterCause, number>> {
    await this.#open();
    const rows = await this.#reader.rows('svc-backlog-dead-letters', deadLettersStatement, [most]);
    return new Map(rows.map((row) => [row['cause'] as DeadLetterCause, Number(row['letters'])]));
  }
}

const outboxStatement = `
  SELECT count(*) AS waiting, (SELECT id FROM svc_outbox WHERE lane = $1 ORDER BY sequence LIMIT 1) AS first
  FROM (SELECT 1 FROM svc_outbox WHERE lane = $1 LIMIT $2) AS counted`;

const deadLettersStatement = `
  SELECT cause, count(*) AS letters FROM (SELECT cause FROM svc_dead_letters LIMIT $1) AS counted GROUP BY cause`;
