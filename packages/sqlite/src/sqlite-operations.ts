import type { Uuid } from '@svc/core';
import type {
  OperationAsking,
  OperationEnd,
  OperationRecord,
  OperationRequest,
  OperationState,
  OperationStorage,
} from '@svc/core/storage';
import type { Connection } from './connection.js';
import type { Row } from './engine.js';
import { defaultLeaseMs, type SqliteOptions } from './options.js';

export const longestPollMs = 1_000;

/** The operations that operators request, in a database file. SQLite has no notifications, so hosts poll once a second. */
export class SqliteOperations implements OperationStorage {
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly #open: () => Promise<Connection>;

  constructor(open: () => Promise<Connection>, { leaseMs = defaultLeaseMs, pollMs = longestPollMs }: SqliteOptions) {
    this.#open = open;
    this.leaseMs = leaseMs;
    this.pollMs = Math.min(pollMs, longestPollMs);
  }

  /** Does nothing: hosts poll. */
  onRequested(): void {}

  ask(request: OperationRequest, { waitMs, isAlone }: OperationAsking): Promise<OperationRecord | null> {
    const { id, kind, target, requestedBy } = request;
    const alone = isAlone ? `${kind}/${target}` : null;
    return this.#transaction(({ sql }) => {
      const now = Date.now();
      sql.expireOperations.run(now);
      const inTheWay = sql.operationInTheWay.get(alone);
      if (inTheWay !== undefined) return toOperation(inTheWay);
      const text = JSON.stringify(request.arguments);
      sql.insertOperation.run(id, kind, target, text, requestedBy, now, now + waitMs, alone);
      return null;
    });
  }

  find(id: Uuid): Promise<OperationRecord | null> {
    return this.#unlocked(({ sql }) => {
      const row = sql.findOperation.get(id);
      return row === undefined ? null : toOperation(row);
    });
  }

  async readOpen(limit: number): Promise<readonly OperationRecord[]> {
    const open = await this.#unlocked(({ sql }) => sql.openOperations.all(limit).map((row) => toOperation(row)));
    return open.filter(({ state }) => state !== 'expired');
  }

  readRecent(limit: number): Promise<readonly OperationRecord[]> {
    return this.#unlocked(({ sql }) => sql.endedOperations.all(Date.now(), limit).map((row) => toOperation(row)));
  }

  claim(id: Uuid, holder: Uuid): Promise<OperationRecord | null> {
    return this.#transaction(({ sql }) => {
      const now = Date.now();
      const row = sql.claimOperation.get(holder, now + this.leaseMs, now, id, now, now, holder);
      return row === undefined ? null : toOperation(row);
    });
  }

  /** Does not wait for the disk, because the next renewal writes the progress again. */
  async renew(id: Uuid, holder: Uuid, progress: unknown): Promise<OperationState | null> {
    const connection = await this.#open();
    return await connection.derivedTransaction(() => {
      const until = Date.now() + this.leaseMs;
      const row = connection.sql.renewOperation.get(until, JSON.stringify(progress), id, holder);
      return (row?.['state'] as OperationState | undefined) ?? null;
    });
  }

  finish(id: Uuid, holder: Uuid, { state, result, error }: OperationEnd): Promise<boolean> {
    return this.#transaction(({ sql }) => {
      const { changes } = sql.finishOperation.run(state, JSON.stringify(result), error, Date.now(), id, holder);
      return Number(changes) > 0;
    });
  }

  async release(id: Uuid, holder: Uuid): Promise<void> {
    await this.#transaction(({ sql }) => sql.releaseOperation.run(id, holder));
  }

  async cancel(id: Uuid): Promise<OperationState | null> {
    await this.#transaction(({ sql }) => {
      const found = sql.findOperation.get(id);
      if (found === undefined) return;
      const { finishedAt, state, isHeld } = toOperation(found);
      if (finishedAt !== null || state === 'expired') return;
      if (isHeld) sql.cancelOperation.run('cancelling', null, id);
      else sql.cancelOperation.run('cancelled', Date.now(), id);
    });
    return (await this.find(id))?.state ?? null;
  }

  async #transaction<T>(work: (connection: Connection) => T): Promise<T> {
    const connection = await this.#open();
    return await connection.transaction(() => work(connection));
  }

  async #unlocked<T>(work: (connection: Connection) => T): Promise<T> {
    const connection = await this.#open();
    return await connection.unlocked(() => work(connection));
  }
}

function toOperation(row: Row): OperationRecord {
  const now = Date.now();
  const isOver = row['finished_at'] !== null;
  const isExpired =
    row['state'] === 'waiting' && row['started_at'] === null && (row['wait_until'] as number) <= now && !isOver;
  return {
    id: row['id'] as Uuid,
    kind: row['kind'] as string,
    target: row['target'] as string | null,
    arguments: JSON.parse(row['arguments'] as string) as OperationRecord['arguments'],
    requestedBy: row['requested_by'] as string,
    state: isExpired ? 'expired' : (row['state'] as OperationState),
    requestedAt: row['requested_at'] as number,
    startedAt: row['started_at'] as number | null,
    finishedAt: row['finished_at'] as number | null,
    isHeld: !isOver && row['holder'] !== null && (row['held_until'] as number) > now,
    attempts: row['attempts'] as number,
    progress: JSON.parse((row['progress'] as string | null) ?? 'null'),
    result: JSON.parse((row['result'] as string | null) ?? 'null'),
    error: row['error'] as string | null,
  };
}
