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
import { self } from './leases.js';
import type { Reader } from './reader.js';

/** The tables of the hosts and their activity. */
export const hostSchema: SqlItem = {
  kind: 'sql',
  key: 'infrastructure/hosts',
  creates: 'svc_hosts',
  steps: [
    `
    CREATE TABLE svc_hosts (
      id         uuid PRIMARY KEY, -- the holder of its leases
      process    text NOT NULL,    -- the machine and the number of the process, for operators
      version    text,             -- of the service
      library    text NOT NULL,    -- the version of svc
      started_at timestamptz NOT NULL,
      every_ms   integer NOT NULL, -- how often it records its activity
      seen_at    timestamptz NOT NULL
    );

    CREATE TABLE svc_host_activity (
      at        timestamptz NOT NULL, -- the beginning of an interval
      host      uuid NOT NULL,
      version   text,
      commands  bigint NOT NULL,
      rejected  bigint NOT NULL,
      failed    bigint NOT NULL,
      durations jsonb NOT NULL, -- the number of commands by the bucket of their duration
      PRIMARY KEY (at, host)
    );`,
  ],
};

/** The hosts that record their activity, in a PostgreSQL database. */
export class PostgresHosts implements StorageHosts {
  readonly #reader: Reader;
  readonly #open: () => Promise<void>;
  readonly #id: Uuid;

  constructor(reader: Reader, open: () => Promise<void>, id: Uuid) {
    this.#reader = reader;
    this.#open = open;
    this.#id = id;
  }

  async record(activity: HostActivity, retainMs: number): Promise<void> {
    await this.#open();
    const { version, library, startedAt, at, everyMs, commands, rejected, failed, durations } = activity;
    const host = [this.#id, self, version, library, startedAt, everyMs];
    const values = [...host, at, commands, rejected, failed, JSON.stringify(durations), retainMs];
    await this.#reader.rows('svc-host-record', recordStatement, values);
  }

  async leave(): Promise<void> {
    await this.#open();
    await this.#reader.rows('svc-host-leave', 'DELETE FROM svc_hosts WHERE id = $1', [this.#id]);
  }

  async read(limit: number): Promise<readonly RecordedHost[]> {
    await this.#open();
    const rows = await this.#reader.rows('svc-hosts', readStatement, [limit]);
    return rows.map((row) => ({
      id: row['id'] as Uuid,
      process: row['process']!,
      isOwn: row['id'] === this.#id,
      version: row['version'] ?? null,
      library: row['library']!,
      startedAt: Number(row['started_at']),
      seenMsAgo: Number(row['seen_ms_ago']),
    }));
  }

  async readActivity({ from, to, stepMs }: ActivityRange): Promise<readonly VersionActivity[]> {
    await this.#open();
    const rows = await this.#reader.rows('svc-host-activity', activityStatement, [from, to, stepMs]);
    return rows.map((row) => ({
      at: Number(row['step']),
      version: row['version'] ?? null,
      commands: Number(row['commands']),
      rejected: Number(row['rejected']),
      failed: Number(row['failed']),
      durations: JSON.parse(row['durations'] ?? '{}') as Record<string, number>,
    }));
  }
}

/** The time of a parameter in milliseconds since 1970. */
const time = (parameter: string): string => `to_timestamp(${parameter}::double precision / 1000)`;

/** Skips rows that another host deletes at this moment. Does not wait for the disk. */
const recordStatement = `
  WITH host AS (
    INSERT INTO svc_hosts (id, process, version, library, started_at, every_ms, seen_at)
    VALUES ($1, $2, $3, $4, ${time('$5')}, $6, clock_timestamp())
    ON CONFLICT (id) DO UPDATE
    SET version = excluded.version, started_at = excluded.started_at, every_ms = excluded.every_ms, seen_at = excluded.seen_at
  ), activity AS (
    INSERT INTO svc_host_activity (at, host, version, commands, rejected, failed, durations)
    VALUES (${time('$7')}, $1, $3, $8, $9, $10, $11)
    ON CONFLICT (at, host) DO UPDATE
    SET version = excluded.version, commands = excluded.commands, rejected = excluded.rejected, failed = excluded.failed,
      durations = excluded.durations
  ), gone AS (
    DELETE FROM svc_hosts WHERE id IN (
      SELECT id FROM svc_hosts WHERE id <> $1 AND seen_at < clock_timestamp() - $12 * interval '1 millisecond'
      LIMIT 1000 FOR UPDATE SKIP LOCKED)
  ), outdated AS (
    DELETE FROM svc_host_activity WHERE (at, host) IN (
      SELECT at, host FROM svc_host_activity WHERE at < ${time('$7')} - $12 * interval '1 millisecond'
      ORDER BY at LIMIT 1000 FOR UPDATE SKIP LOCKED)
  )
  SELECT set_config('synchronous_commit', 'off', true)`;

const readStatement = `
  SELECT id, process, version, library, round(extract(epoch FROM started_at) * 1000) AS started_at,
    greatest(0, round(extract(epoch FROM clock_timestamp() - seen_at) * 1000)) AS seen_ms_ago
  FROM svc_hosts WHERE seen_at > clock_timestamp() - ${missedIntervals} * every_ms * interval '1 millisecond'
  ORDER BY svc_hosts.started_at, id LIMIT $1`;

const activityStatement = `
  WITH recorded AS (
    SELECT floor(extract(epoch FROM at) * 1000 / $3::bigint) * $3::bigint AS step, version, commands, rejected, failed, durations
    FROM svc_host_activity WHERE at >= ${time('$1')} AND at < ${time('$2')}
  ), counted AS (
    SELECT step, version, bucket, sum(number::bigint) AS number
    FROM recorded, jsonb_each_text(durations) AS duration (bucket, number) GROUP BY step, version, bucket
  )
  SELECT step, version, sum(commands) AS commands, sum(rejected) AS rejected, sum(failed) AS failed,
    (SELECT jsonb_object_agg(bucket, number) FROM counted
      WHERE counted.step = recorded.step AND counted.version IS NOT DISTINCT FROM recorded.version) AS durations
  FROM recorded GROUP BY step, version ORDER BY step, version`;
