import type { ConnectionOptions } from 'node:tls';
import type { MigrationOptions } from '@svc/core';
import type { ReadingStall } from './reading-stall.js';

/** The connection to a PostgreSQL database, and the limits that the storage uses. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with `?sslmode=verify-full` for TLS. */
  readonly url: string;
  /** TLS, where the URL does not configure it: `true`, or certificates and the like as `node:tls` takes them. Default: what the URL says. */
  readonly ssl?: boolean | ConnectionOptions;
  /** Allows a remote server without TLS, for networks that are encrypted by other means. Default: false. */
  readonly allowPlaintext?: boolean;
  /** What the connections are called in `pg_stat_activity`. Default: `svc`. */
  readonly applicationName?: string;
  /** How many transactions of records are under way at once. Default: 2. */
  readonly transactions?: number;
  /** How many connections read, beside those that write and the one that listens. Default: 4. */
  readonly readers?: number;
  /** How long to wait for a connection, and for its end when the storage is closed. Default: 5,000. */
  readonly connectTimeoutMs?: number;
  /** How long to wait for the answer to one statement; what a rebuild counts first may take an hour. Default: 30,000. */
  readonly statementTimeoutMs?: number;
  /** How long to find out what became of a record when the connection was lost while it was being kept. Default: 5,000. */
  readonly resolveTimeoutMs?: number;
  /**
   * How long a host delivers a lane of the outbox, or carries out what an operator asked for, before it has to say so again; another takes
   * over after that. Default: 5,000.
   */
  readonly leaseMs?: number;
  /** How often the outbox is looked at although nobody said that there is something in it. Default: 5,000. */
  readonly pollMs?: number;
  /** How long reading all events waits for a transaction that holds some of them back, before it ends without them. Default: 2,000. */
  readonly stallMs?: number;
  /** Told when reading all events ended that way. Default: a line on the console. */
  readonly onStall?: (stall: ReadingStall) => void;
  /** How the schema is brought up to date when the storage is opened. */
  readonly migrations?: MigrationOptions;
}

export type Settings = Required<Omit<PostgresOptions, 'ssl'>> & Pick<PostgresOptions, 'ssl'>;

export const defaults: Omit<Settings, 'url' | 'ssl'> = {
  allowPlaintext: false,
  applicationName: 'svc',
  transactions: 2,
  readers: 4,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 30_000,
  resolveTimeoutMs: 5_000,
  leaseMs: 5_000,
  pollMs: 5_000,
  stallMs: 2_000,
  migrations: {},
  onStall: (stall) => console.warn(stall.message),
};

export function settingsOf(options: PostgresOptions): Settings {
  return { ...defaults, ...options };
}
