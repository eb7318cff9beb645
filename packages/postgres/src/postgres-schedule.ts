import type { Uuid } from '@svc/core';
import {
  detached,
  type ClaimedCommands,
  type ScheduledCommand,
  type ScheduleStanding,
  type ScheduleStorage,
} from '@svc/core/storage';
import { outboxChannel } from './notifications.js';
import type { Settings } from './options.js';
import type { Reader } from './reader.js';
import type { Row } from './row.js';

/** How many notifications a host sends at most: other hosts look once for all commands that were scheduled in between. */
const notificationPauseMs = 50;

/** Starts the payload that notifies other hosts of scheduled commands. The id of the sender follows. */
const scheduledBy = 'scheduled by ';

/** The scheduled commands in a PostgreSQL database. All times are those of the server. */
export class PostgresSchedule implements ScheduleStorage {
  readonly leaseMs: number;
  readonly #reader: Reader;
  readonly #open: () => Promise<void>;
  readonly #self: Uuid;
  readonly #listeners: (() => void)[] = [];
  #notifying: NodeJS.Timeout | undefined;

  constructor(reader: Reader, open: () => Promise<void>, self: Uuid, { leaseMs }: Settings) {
    this.#reader = reader;
    this.#open = open;
    this.#self = self;
    this.leaseMs = leaseMs;
  }

  onScheduled(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** A host has sent a notification. */
  notified(payload: string): void {
    if (!payload.startsWith(scheduledBy) || payload.endsWith(this.#self)) return;
    for (const listener of this.#listeners) listener();
  }

  /** Notifies the other hosts of committed commands, not once for each: PostgreSQL commits notifications one after another. */
  notifyOthers(): void {
    const notify = (): void => {
      this.#notifying = undefined;
      // If it is lost, the hosts find the command with their next poll.
      this.#reader.rows('svc-schedule-notify', notifyStatement, [`${scheduledBy}${this.#self}`]).catch(() => {});
    };
    this.#notifying ??= detached(() => setTimeout(notify, notificationPauseMs));
  }

  stop(): void {
    clearTimeout(this.#notifying);
  }

  async claim(holder: Uuid, types: readonly string[], limit: number): Promise<ClaimedCommands> {
    await this.#open();
    const claimed = await this.#reader.rows('svc-schedule-claim', claimStatement, [types, limit, holder, this.leaseMs]);
    const [next] = await this.#reader.rows('svc-schedule-next', nextStatement, [types]);
    const nextIn = next!['next_in'] ?? null;
    return {
      commands: claimed.map(toScheduled).toSorted((a, b) => a.dueAt - b.dueAt),
      now: Number(next!['now']),
      nextInMs: nextIn === null ? null : Math.max(0, Math.ceil(Number(nextIn))),
    };
  }

  async renew(holder: Uuid, ids: readonly Uuid[]): Promise<void> {
    await this.#reader.rows('svc-schedule-renew', renewStatement, [holder, ids, this.leaseMs]);
  }

  async retryLater(holder: Uuid, id: Uuid, delayMs: number): Promise<void> {
    await this.#reader.rows('svc-schedule-retry', retryStatement, [holder, id, delayMs]);
  }

  async read(limit: number, after?: Uuid): Promise<readonly ScheduledCommand[]> {
    await this.#open();
    const rows =
      after === undefined
        ? await this.#reader.rows('svc-schedule-read', readStatement, [limit])
        : await this.#reader.rows('svc-schedule-read-after', readAfterStatement, [limit, after]);
    return rows.map(toScheduled);
  }

  async readKeys(tenant: string, from: string, to: string): Promise<readonly ScheduledCommand[]> {
    await this.#open();
    const sql = `SELECT ${columns} FROM svc_scheduled WHERE tenant = $1 AND key >= $2 AND key < $3`;
    return (await this.#reader.rows('svc-schedule-read-keys', sql, [tenant, from, to])).map(toScheduled);
  }

  async readTypes(): Promise<readonly string[]> {
    await this.#open();
    const rows = await this.#reader.rows('svc-schedule-types', `${firstOfTypes} SELECT type FROM first`);
    return rows.map((row) => row['type']!);
  }

  async find(id: Uuid): Promise<ScheduledCommand | null> {
    await this.#open();
    const sql = `SELECT ${columns} FROM svc_scheduled WHERE id = $1`;
    const [row] = await this.#reader.rows('svc-schedule-find', sql, [id]);
    return row === undefined ? null : toScheduled(row);
  }

  async makeDue(id: Uuid): Promise<boolean> {
    await this.#open();
    const [row] = await this.#reader.rows('svc-schedule-make-due', makeDueStatement, [id]);
    if (row === undefined) return false;
    await this.#reader.rows('svc-schedule-notify', notifyStatement, [`${scheduledBy}an operator`]);
    return true;
  }

  async cancel(id: Uuid): Promise<boolean> {
    await this.#open();
    const sql = 'DELETE FROM svc_scheduled WHERE id = $1 RETURNING id';
    return (await this.#reader.rows('svc-schedule-cancel', sql, [id])).length > 0;
  }

  async readStanding(graceMs: number, most: number): Promise<ScheduleStanding> {
    await this.#open();
    const [row] = await this.#reader.rows('svc-schedule-standing', standingStatement, [graceMs, most]);
    return { overdue: Number(row!['overdue']), lateMs: Number(row!['latest'] ?? 0) };
  }
}

const milliseconds = (time: string): string => `(extract(epoch FROM ${time}) * 1000)`;

const isRunning = '(holder IS NOT NULL AND claimable_at > clock_timestamp())';

const columns = `
  message, tenant, key, attempts, ${isRunning}::text AS is_running,
  ${milliseconds('due_at')} AS due_at, ${milliseconds('first_failed_at')} AS first_failed_at`;

/** The order of the index by type. */
const byType = 'ORDER BY type, claimable_at, id LIMIT';

/** The first command of each type that is stored: one look into the index by type for each, however many commands there are. */
const firstOfTypes = `
  WITH RECURSIVE first (type, claimable_at, id) AS (
    (SELECT type, claimable_at, id FROM svc_scheduled ${byType} 1)
    UNION ALL
    SELECT next.* FROM first CROSS JOIN LATERAL (
      SELECT type, claimable_at, id FROM svc_scheduled WHERE type > first.type ${byType} 1) AS next)`;

/** The time as a parameter: an index cannot be searched for a volatile function. */
const now = '(SELECT clock_timestamp())';

/** Enough for four hosts that claim at the same time. */
const candidates = '4 * $2';

/**
 * Passes over commands that another host claims or settles at the same time. The first `$2` commands are of the `$2` types that are due first. Their
 * commands are a range of the index: with `type =`, PostgreSQL may prefer the index without types, and reads it from its start.
 */
const claimStatement = `${firstOfTypes},
  wanted AS (
    SELECT type FROM first WHERE type = ANY($1::text[]) AND claimable_at <= ${now} ORDER BY claimable_at, id LIMIT $2),
  due AS (
    SELECT due.id FROM wanted CROSS JOIN LATERAL (
      SELECT id, claimable_at FROM svc_scheduled
      WHERE type >= wanted.type AND (type, claimable_at) <= (wanted.type, ${now}) ${byType} ${candidates}) AS due
    ORDER BY due.claimable_at, due.id LIMIT ${candidates}),
  claimed AS (
    SELECT claimed.id FROM due CROSS JOIN LATERAL (
      SELECT id FROM svc_scheduled WHERE id = due.id AND claimable_at <= ${now} FOR UPDATE SKIP LOCKED) AS claimed
    LIMIT $2)
  UPDATE svc_scheduled SET holder = $3, claimable_at = clock_timestamp() + $4 * interval '1 millisecond'
  WHERE id IN (SELECT id FROM claimed)
  RETURNING ${columns}`;

const nextStatement = `${firstOfTypes}
  SELECT ${milliseconds('clock_timestamp()')} AS now, ${milliseconds('min(claimable_at) - clock_timestamp()')} AS next_in
  FROM first WHERE type = ANY($1::text[])`;

const renewStatement = `
  UPDATE svc_scheduled SET claimable_at = clock_timestamp() + $3 * interval '1 millisecond'
  WHERE id = ANY($2::uuid[]) AND holder = $1`;

const retryStatement = `
  UPDATE svc_scheduled SET attempts = attempts + 1, first_failed_at = coalesce(first_failed_at, clock_timestamp()),
    claimable_at = clock_timestamp() + $3 * interval '1 millisecond', holder = NULL
  WHERE id = $2 AND holder = $1`;

const readStatement = `SELECT ${columns} FROM svc_scheduled ORDER BY svc_scheduled.due_at, id LIMIT $1`;

const readAfterStatement = `
  SELECT ${columns} FROM svc_scheduled
  WHERE (svc_scheduled.due_at, id) > (SELECT due_at, id FROM svc_scheduled WHERE id = $2)
  ORDER BY svc_scheduled.due_at, id LIMIT $1`;

/** A command that a host runs at the moment is due already. */
const makeDueStatement = `
  WITH made AS (
    UPDATE svc_scheduled SET due_at = least(due_at, clock_timestamp()), claimable_at = clock_timestamp(), holder = NULL
    WHERE id = $1 AND NOT ${isRunning})
  SELECT id FROM svc_scheduled WHERE id = $1`;

const notifyStatement = `SELECT pg_notify('${outboxChannel}', $1)`;

const standingStatement = `
  WITH late AS (SELECT clock_timestamp() - $1 * interval '1 millisecond' AS since)
  SELECT (SELECT count(*) FROM (
      SELECT 1 FROM svc_scheduled WHERE due_at < (SELECT since FROM late) LIMIT $2) AS counted) AS overdue,
    (SELECT ${milliseconds('clock_timestamp() - due_at')} FROM svc_scheduled WHERE due_at < (SELECT since FROM late)
     ORDER BY due_at LIMIT 1) AS latest`;

function toScheduled(row: Row): ScheduledCommand {
  return {
    message: JSON.parse(row['message']!) as ScheduledCommand['message'],
    tenant: row['tenant']!,
    key: row['key'] ?? null,
    dueAt: Number(row['due_at']),
    attempts: Number(row['attempts']),
    firstFailedAt: row['first_failed_at'] === null ? null : Number(row['first_failed_at']),
    isRunning: row['is_running'] === 'true',
  };
}
