import type { Uuid } from '@svc/core';
import type {
  OperationAsking,
  OperationEnd,
  OperationRecord,
  OperationRequest,
  OperationState,
  OperationStorage,
} from '@svc/core/storage';
import { operatorAsks, outboxChannel } from './notifications.js';
import type { Settings } from './options.js';
import type { Reader } from './reader.js';
import type { Row } from './row.js';

/** The operations that operators request, in a PostgreSQL database. A request notifies all hosts. Times are those of the server. */
export class PostgresOperations implements OperationStorage {
  readonly leaseMs: number;
  readonly pollMs: number;
  readonly #reader: Reader;
  readonly #open: () => Promise<void>;
  readonly #listeners: (() => void)[] = [];

  constructor(reader: Reader, open: () => Promise<void>, { leaseMs, pollMs }: Settings) {
    this.#reader = reader;
    this.#open = open;
    this.leaseMs = leaseMs;
    this.pollMs = pollMs;
  }

  onRequested(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Calls the listeners, because an operator may have requested an operation. */
  raise(): void {
    for (const listener of this.#listeners) listener();
  }

  async ask(request: OperationRequest, { waitMs, isAlone }: OperationAsking): Promise<OperationRecord | null> {
    await this.#open();
    const { id, kind, target, requestedBy } = request;
    const alone = isAlone ? `${kind}/${target}` : null;
    await this.#reader.rows('svc-operation-expire', expireStatement);
    const values = [id, kind, target, JSON.stringify(request.arguments), requestedBy, waitMs, alone];
    if ((await this.#reader.rows('svc-operation-ask', askStatement, values)).length > 0) return null;
    const [row] = await this.#reader.rows('svc-operation-in-the-way', inTheWayStatement, [alone, id]);
    // The other operation has ended since, or the request is stored already and only its answer was lost.
    if (row === undefined) return await this.ask(request, { waitMs, isAlone });
    return row['id'] === id ? null : toOperation(row);
  }

  async find(id: Uuid): Promise<OperationRecord | null> {
    await this.#open();
    const [row] = await this.#reader.rows('svc-operation', `SELECT ${columns} FROM svc_operations WHERE id = $1`, [id]);
    return row === undefined ? null : toOperation(row);
  }

  async readOpen(limit: number): Promise<readonly OperationRecord[]> {
    await this.#open();
    return (await this.#reader.rows('svc-operations-open', readOpenStatement, [limit])).map(toOperation);
  }

  async readRecent(limit: number): Promise<readonly OperationRecord[]> {
    await this.#open();
    return (await this.#reader.rows('svc-operations-recent', readRecentStatement, [limit])).map(toOperation);
  }

  async claim(id: Uuid, holder: Uuid): Promise<OperationRecord | null> {
    const [row] = await this.#reader.rows('svc-operation-claim', claimStatement, [id, holder, this.leaseMs]);
    return row === undefined ? null : toOperation(row);
  }

  async renew(id: Uuid, holder: Uuid, progress: unknown): Promise<OperationState | null> {
    const values = [id, holder, this.leaseMs, JSON.stringify(progress)];
    const [row] = await this.#reader.rows('svc-operation-renew', renewStatement, values);
    return (row?.['state'] as OperationState | undefined) ?? null;
  }

  async finish(id: Uuid, holder: Uuid, { state, result, error }: OperationEnd): Promise<boolean> {
    const values = [id, holder, state, JSON.stringify(result), error];
    return (await this.#reader.rows('svc-operation-finish', finishStatement, values)).length > 0;
  }

  async release(id: Uuid, holder: Uuid): Promise<void> {
    await this.#reader.rows('svc-operation-release', releaseStatement, [id, holder]);
  }

  async cancel(id: Uuid): Promise<OperationState | null> {
    await this.#open();
    await this.#reader.rows('svc-operation-cancel', cancelStatement, [id]);
    return (await this.find(id))?.state ?? null;
  }
}

const isExpired = "(state = 'waiting' AND started_at IS NULL AND wait_until <= clock_timestamp())";
const isHeld = '(holder IS NOT NULL AND held_until > clock_timestamp())';

const columns = `
  id, kind, target, arguments, requested_by, attempts, progress, result, error,
  CASE WHEN finished_at IS NULL AND ${isExpired} THEN 'expired' ELSE state END AS state,
  coalesce(finished_at IS NULL AND ${isHeld}, false)::text AS is_held,
  (extract(epoch FROM requested_at) * 1000)::bigint AS requested_at,
  (extract(epoch FROM started_at) * 1000)::bigint AS started_at,
  (extract(epoch FROM finished_at) * 1000)::bigint AS finished_at`;

/** Marks operations that no host started in time, so that they do not block others. */
const expireStatement = `
  UPDATE svc_operations SET state = 'expired', finished_at = clock_timestamp()
  WHERE finished_at IS NULL AND ${isExpired} RETURNING id`;

const askStatement = `
  WITH inserted AS (
    INSERT INTO svc_operations (id, kind, target, arguments, requested_by, wait_until, alone)
    VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 millisecond', $7)
    ON CONFLICT DO NOTHING RETURNING id
  )
  SELECT id, pg_notify('${outboxChannel}', '${operatorAsks}') FROM inserted`;

const inTheWayStatement = `
  SELECT ${columns} FROM svc_operations WHERE (alone = $1 AND finished_at IS NULL) OR id = $2 ORDER BY id LIMIT 1`;

const readOpenStatement = `
  SELECT ${columns} FROM svc_operations WHERE finished_at IS NULL AND NOT ${isExpired} ORDER BY id LIMIT $1`;

const readRecentStatement = `
  SELECT ${columns} FROM svc_operations WHERE finished_at IS NOT NULL OR ${isExpired} ORDER BY id DESC LIMIT $1`;

const claimStatement = `
  UPDATE svc_operations SET
    state = CASE state WHEN 'waiting' THEN 'running' ELSE state END,
    holder = $2, held_until = clock_timestamp() + $3 * interval '1 millisecond',
    attempts = attempts + 1, started_at = coalesce(started_at, clock_timestamp())
  WHERE id = $1 AND finished_at IS NULL AND NOT ${isExpired} AND (NOT ${isHeld} OR holder = $2)
  RETURNING ${columns}`;

const renewStatement = `
  UPDATE svc_operations SET held_until = clock_timestamp() + $3 * interval '1 millisecond', progress = $4
  WHERE id = $1 AND holder = $2 AND finished_at IS NULL RETURNING state`;

const finishStatement = `
  UPDATE svc_operations SET state = $3, result = $4, error = $5, finished_at = clock_timestamp()
  WHERE id = $1 AND holder = $2 AND finished_at IS NULL RETURNING id`;

const releaseStatement = `
  WITH released AS (
    UPDATE svc_operations SET
      state = CASE state WHEN 'running' THEN 'waiting' ELSE state END, holder = NULL, held_until = NULL, attempts = attempts - 1
    WHERE id = $1 AND holder = $2 AND finished_at IS NULL RETURNING id
  )
  SELECT pg_notify('${outboxChannel}', '${operatorAsks}') FROM released`;

const cancelStatement = `
  UPDATE svc_operations SET
    state = CASE WHEN ${isHeld} THEN 'cancelling' ELSE 'cancelled' END,
    finished_at = CASE WHEN ${isHeld} THEN NULL ELSE clock_timestamp() END
  WHERE id = $1 AND finished_at IS NULL AND NOT ${isExpired} RETURNING id`;

export const forgetOperationsStatement = `
  DELETE FROM svc_operations WHERE id IN (
    SELECT id FROM svc_operations
    WHERE requested_at <= now() - $1 * interval '1 millisecond' AND (finished_at IS NOT NULL OR ${isExpired})
    ORDER BY requested_at LIMIT $2)
  RETURNING id`;

function toOperation(row: Row): OperationRecord {
  const time = (name: string): number | null => (row[name] === null ? null : Number(row[name]));
  return {
    id: row['id'] as Uuid,
    kind: row['kind']!,
    target: row['target']!,
    arguments: JSON.parse(row['arguments']!) as OperationRecord['arguments'],
    requestedBy: row['requested_by']!,
    state: row['state'] as OperationState,
    requestedAt: Number(row['requested_at']),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
    isHeld: row['is_held'] === 'true',
    attempts: Number(row['attempts']),
    progress: JSON.parse(row['progress'] ?? 'null'),
    result: JSON.parse(row['result'] ?? 'null'),
    error: row['error']!,
  };
}
