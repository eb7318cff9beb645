import type { Uuid } from '@svc/core';
import {
  missedIntervals,
  type ActivityRange,
  type HostActivity,
  type RecordedHost,
  type SqlItem,
  type StorageHosts,
  type VersionActivity,
} from '@svc/core/storage';
import type { Connection } from './connection.js';
import { isGone, self } from './leases.js';

/** The tables of the hosts and their activity. */
export const hostSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/hosts',
  creates: 'svc_hosts',
  steps: [
    `
    CREATE TABLE svc_hosts (
      id         TEXT PRIMARY KEY, -- the holder of its leases
      process    TEXT NOT NULL,    -- the machine and the number of the process
      version    TEXT,             -- of the service
      library    TEXT NOT NULL,    -- the version of svc
      started_at INTEGER NOT NULL,
      every_ms   INTEGER NOT NULL, -- how often it records its activity
      seen_at    INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE svc_host_activity (
      at        INTEGER NOT NULL, -- the beginning of an interval
      host      TEXT NOT NULL,
      version   TEXT,
      commands  INTEGER NOT NULL,
      rejected  INTEGER NOT NULL,
      failed    INTEGER NOT NULL,
      durations TEXT NOT NULL, -- the number of commands by the bucket of their duration
      PRIMARY KEY (at, host)
    ) STRICT, WITHOUT ROWID;`,
  ],
};

/** The hosts that record their activity, in a database file. Their transactions do not wait for the disk. */
export class SqliteHosts implements StorageHosts {
  readonly #open: () => Promise<Connection>;
  readonly #id: Uuid;

  constructor(open: () => Promise<Connection>, id: Uuid) {
    this.#open = open;
    this.#id = id;
  }

  async record(activity: HostActivity, retainMs: number): Promise<void> {
    const connection = await this.#open();
    const { version, library, startedAt, at, everyMs, commands, rejected, failed, durations } = activity;
    await connection.derivedTransaction(() => {
      const { sql } = connection;
      const now = Date.now();
      sql.recordHost.run(this.#id, self, version, library, startedAt, everyMs, now);
      sql.recordActivity.run(at, this.#id, version, commands, rejected, failed, JSON.stringify(durations));
      sql.forgetHosts.run(now - retainMs);
      sql.forgetActivity.run(at - retainMs);
    });
  }

  async leave(): Promise<void> {
    const connection = await this.#open();
    await connection.derivedTransaction(() => connection.sql.removeHost.run(this.#id));
  }

  async read(limit: number): Promise<readonly RecordedHost[]> {
    const connection = await this.#open();
    const now = Date.now();
    const rows = await connection.unlocked(() => connection.sql.readHosts.all(now, missedIntervals));
    return rows
      .map((row) => ({
        id: row['id'] as Uuid,
        process: row['process'] as string,
        isOwn: row['id'] === this.#id,
        version: row['version'] as string | null,
        library: row['library'] as string,
        startedAt: row['started_at'] as number,
        seenMsAgo: Math.max(0, now - (row['seen_at'] as number)),
      }))
      .filter((host) => host.isOwn || !isGone(host.process))
      .slice(0, limit);
  }

  async readActivity({ from, to, stepMs }: ActivityRange): Promise<readonly VersionActivity[]> {
    const connection = await this.#open();
    const rows = await connection.unlocked(() => connection.sql.readActivity.all(from, to, stepMs));
    return rows.map((row) => ({
      at: row['step'] as number,
      version: row['version'] as string | null,
      commands: row['commands'] as number,
      rejected: row['rejected'] as number,
      failed: row['failed'] as number,
      durations: JSON.parse(row['durations'] as string) as Record<string, number>,
    }));
  }
}
