import type { Uuid } from '@svc/core';
import { LogWentBackError, StorageUnavailableError, type CommitBatch } from '@svc/core/storage';
import type { ClientBase } from 'pg';
import { UnsuitableHostError } from './unsuitable-host-error.js';

/**
 * The latest events that this host knows to be committed. A server that lacks one of them lost others too, and this host must not work with
 * it: its callers, the broker and other services know what no longer exists
 * ([decision 0088](../../../docs/decisions/0088-a-log-that-went-back-stops-its-hosts.md)).
 */
export class KnownEvents {
  readonly #transactions: number;
  /** One event of each of the last batches, as many as can be in progress: every earlier batch was committed before one of these. */
  readonly #committed: Uuid[] = [];
  #read: Uuid | null = null;
  #failure: StorageUnavailableError | null = null;

  constructor(transactions: number) {
    this.#transactions = transactions;
  }

  /** An event of a batch was committed. */
  committed(id: Uuid): void {
    this.#committed.push(id);
    if (this.#committed.length > this.#transactions) this.#committed.shift();
  }

  /** The log was read up to this event. */
  read(id: Uuid): void {
    this.#read = id;
  }

  /** Why the database must not be used any more; null: it may be used. */
  get failure(): StorageUnavailableError | null {
    return this.#failure;
  }

  /** Throws if the server of a new connection lacks one of the events. From then on, there is a `failure`. */
  async verify(client: ClientBase): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    const ids = [...this.#committed, ...(this.#read === null ? [] : [this.#read])];
    if (ids.length === 0) return;
    const { rows } = await client.query<{ id: Uuid; is_standby: boolean }>(statement, [ids]);
    if (rows.length === 0) return;
    // A standby may receive them yet.
    if (rows[0]!.is_standby) throw new UnsuitableHostError('The server is a standby that lags.');
    this.#failure = new StorageUnavailableError('none', new LogWentBackError(rows.map(({ id }) => id)), 'went-back');
    throw this.#failure;
  }
}

/** Remembers the events that were committed. */
export function remembering(commitBatch: CommitBatch, known: KnownEvents): CommitBatch {
  return async (records) => {
    const outcomes = await commitBatch(records);
    const last = records.findLast(({ events }, nth) => outcomes[nth] === null && events.length > 0);
    if (last !== undefined) known.committed(last.events.at(-1)!.id);
    return outcomes;
  };
}

const statement = `
  SELECT wanted.id, pg_is_in_recovery() AS is_standby FROM unnest($1::uuid[]) AS wanted (id)
  WHERE NOT EXISTS (SELECT FROM svc_events WHERE svc_events.id = wanted.id)`;
