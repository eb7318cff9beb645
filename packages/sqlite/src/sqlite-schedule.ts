import type { Uuid } from '@svc/core';
import type { ClaimedCommands, ScheduledCommand, ScheduleStanding, ScheduleStorage } from '@svc/core/storage';
import type { Connection } from './connection.js';
import type { Row } from './engine.js';
import { defaultLeaseMs, type SqliteOptions } from './options.js';

/** The scheduled commands in a database file. SQLite has no clock of its own: all processes use the one of their machine. */
export class SqliteSchedule implements ScheduleStorage {
  readonly leaseMs: number;
  readonly #open: () => Promise<Connection>;
  readonly #listeners: (() => void)[] = [];

  constructor(open: () => Promise<Connection>, { leaseMs = defaultLeaseMs }: SqliteOptions) {
    this.#open = open;
    this.leaseMs = leaseMs;
  }

  /** Called for changes of this process only: a process detects every change that another one makes to the file. */
  onScheduled(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Does not wait for the disk, like all changes of claims: they only avoid duplicate work. */
  async claim(holder: Uuid, types: readonly string[], limit: number): Promise<ClaimedCommands> {
    const connection = await this.#open();
    const { sql } = connection;
    const names = JSON.stringify(types);
    const readNext = (): Promise<number | null> =>
      connection.unlocked(() => sql.nextScheduled.get(names)!['claimable_at'] as number | null);
    const first = await readNext();
    const claim = (): Row[] => sql.claimScheduled.all(Date.now() + this.leaseMs, holder, Date.now(), names, limit);
    // A claim locks the file, so the usual case, in which nothing is due, only reads.
    const rows = first !== null && first <= Date.now() ? await connection.derivedTransaction(claim) : [];
    const next = await readNext();
    const now = Date.now();
    return {
      commands: rows.map((row) => toScheduled(row, now)).toSorted(byDueTime),
      now,
      nextInMs: next === null ? null : Math.max(0, next - now),
    };
  }

  async renew(holder: Uuid, ids: readonly Uuid[]): Promise<void> {
    const connection = await this.#open();
    await connection.derivedTransaction(() =>
      connection.sql.renewScheduled.run(Date.now() + this.leaseMs, holder, JSON.stringify(ids)),
    );
  }

  async retryLater(holder: Uuid, id: Uuid, delayMs: number): Promise<void> {
    const connection = await this.#open();
    const delay = Math.ceil(delayMs);
    await connection.derivedTransaction(() => connection.sql.retryScheduled.run(Date.now(), delay, id, holder));
  }

  async read(limit: number, after?: Uuid): Promise<readonly ScheduledCommand[]> {
    const connection = await this.#open();
    const { sql } = connection;
    const rows = await connection.unlocked(() =>
      after === undefined ? sql.readScheduled.all(limit) : sql.readScheduledAfter.all(after, limit),
    );
    return rows.map((row) => toScheduled(row, Date.now()));
  }

  async readKeys(tenant: string, from: string, to: string): Promise<readonly ScheduledCommand[]> {
    const connection = await this.#open();
    const rows = await connection.unlocked(() => connection.sql.readScheduledKeys.all(tenant, from, to));
    return rows.map((row) => toScheduled(row, Date.now()));
  }

  async readTypes(): Promise<readonly string[]> {
    const connection = await this.#open();
    const rows = await connection.unlocked(() => connection.sql.scheduledTypes.all());
    return rows.map((row) => row['type'] as string);
  }

  async find(id: Uuid): Promise<ScheduledCommand | null> {
    const connection = await this.#open();
    const row = await connection.unlocked(() => connection.sql.findScheduled.get(id));
    return row === undefined ? null : toScheduled(row, Date.now());
  }

  async makeDue(id: Uuid): Promise<boolean> {
    const connection = await this.#open();
    const isThere = await connection.transaction(() => {
      connection.sql.makeScheduledDue.run(Date.now(), id);
      return connection.sql.isScheduled.get(id) !== undefined;
    });
    for (const listener of this.#listeners) listener();
    return isThere;
  }

  async cancel(id: Uuid): Promise<boolean> {
    const connection = await this.#open();
    return await connection.transaction(() => Number(connection.sql.deleteScheduled.run(id).changes) > 0);
  }

  async readStanding(graceMs: number, most: number): Promise<ScheduleStanding> {
    const connection = await this.#open();
    const now = Date.now();
    const row = await connection.unlocked(() => connection.sql.scheduleStanding.get(now - graceMs, most)!);
    const first = row['first'] as number | null;
    return { overdue: row['overdue'] as number, lateMs: first === null ? 0 : now - first };
  }
}

function toScheduled(row: Row, now: number): ScheduledCommand {
  return {
    message: JSON.parse(row['message'] as string) as ScheduledCommand['message'],
    tenant: row['tenant'] as string,
    key: row['key'] as string | null,
    dueAt: row['due_at'] as number,
    attempts: row['attempts'] as number,
    firstFailedAt: row['first_failed_at'] as number | null,
    isRunning: row['holder'] !== null && (row['claimable_at'] as number) > now,
  };
}

function byDueTime(a: ScheduledCommand, b: ScheduledCommand): number {
  return a.dueAt - b.dueAt;
}
