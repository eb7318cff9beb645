import type { ConnectionOptions } from 'node:tls';
import { ServiceError, requireWholeNumbers } from '@svc/core';
import type { ArchiveStore, MigrationOptions } from '@svc/core/storage';
import type { ReadingStall } from './reading-stall.js';

/** The connection to a PostgreSQL database, and the limits that the storage uses. */
export interface PostgresOptions {
  /**
   * `postgres://user:password@host:port/database`, with `?sslmode=verify-full` for TLS. Several hosts are separated by commas:
   * `postgres://user@host1:5432,host2:5432/database?target_session_attrs=read-write` uses the one that accepts writes.
   */
  readonly url: string;
  /**
   * The URL of the same database without a pooler, if `url` is that of a pooler in transaction mode such as PgBouncer. Notifications, leases
   * and migrations use it. Default: `url` is the database server itself.
   */
  readonly listenUrl?: string | null;
  /**
   * The URL of a streaming replica that serves models to callers, or of several. Everything else uses `url`. Default: `url` serves them.
   */
  readonly readUrl?: string;
  /**
   * Whether the storage must not open if the role of `url` can change stored events. `svc database roles` separates the roles. Default: false; the
   * health check `svc_relational_db` reports it.
   */
  readonly separateRoles?: boolean;
  /** TLS, if the URLs do not configure it: `true`, or options of `node:tls` such as certificates. Default: as the URL states. */
  readonly ssl?: boolean | ConnectionOptions;
  /** Allows a remote server without TLS, for networks that are encrypted by other means. Default: false. */
  readonly allowPlaintext?: boolean;
  /** The name of the connections in `pg_stat_activity`. Default: `svc`. */
  readonly applicationName?: string;
  /** How many transactions commit records concurrently. Default: 2; 1 to 1,000. */
  readonly transactions?: number;
  /** How many connections read, in addition to those that write and the one that listens. Default: 4; 1 to 1,000. */
  readonly readers?: number;
  /** How long opening a connection to one host may take, and closing it when the storage is closed. Default: 5,000. */
  readonly connectTimeoutMs?: number;
  /** How long one statement may take. Counting the events before a rebuild may take an hour. Default: 30,000. */
  readonly statementTimeoutMs?: number;
  /** How long svc tries to find out whether a record was committed, if the connection is lost during the commit. Default: 5,000. */
  readonly resolveTimeoutMs?: number;
  /**
   * How long the lease of a host lasts: for a lane of the outbox, or for an operation. If the host does not renew it, another host takes
   * over. Default: 5,000.
   */
  readonly leaseMs?: number;
  /**
   * How long a host must be behind the log before it divides a perspective and shares it with hosts that process none. 0: it does so as soon
   * as there is such a host. Default: 2,000.
   */
  readonly divideAfterMs?: number;
  /** How often svc polls the outbox, in case a notification was lost. Default: 5,000. */
  readonly pollMs?: number;
  /** How long reading the log waits for an open append that holds events back. Then it ends without them. Default: 2,000. */
  readonly stallMs?: number;
  /** Called when reading the log ends without such events. Default: logs to the console. */
  readonly onStall?: (stall: ReadingStall) => void;
  /** Where the bodies of archived events are, such as `folderArchive('<folder>')`. Default: none; archived events cannot be read. */
  readonly archive?: ArchiveStore;
  /** How the schema is migrated when the storage is opened. */
  readonly migrations?: MigrationOptions;
}

type Optional = 'ssl' | 'readUrl' | 'archive';
export type Settings = Required<Omit<PostgresOptions, Optional>> & Pick<PostgresOptions, Optional>;

export const defaults: Omit<Settings, 'url' | Optional> = {
  listenUrl: null,
  separateRoles: false,
  allowPlaintext: false,
  applicationName: 'svc',
  transactions: 2,
  readers: 4,
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 30_000,
  resolveTimeoutMs: 5_000,
  leaseMs: 5_000,
  divideAfterMs: 2_000,
  pollMs: 5_000,
  stallMs: 2_000,
  migrations: {},
  onStall: (stall) => console.warn(stall.message),
};

export function settingsOf(options: PostgresOptions): Settings {
  const settings = { ...defaults, ...options };
  const { transactions, readers, connectTimeoutMs, statementTimeoutMs, resolveTimeoutMs } = settings;
  const { leaseMs, divideAfterMs, pollMs, stallMs } = settings;
  const times = { connectTimeoutMs, statementTimeoutMs, resolveTimeoutMs, leaseMs, pollMs, stallMs };
  requireWholeNumbers(times, invalid);
  requireWholeNumbers({ transactions, readers }, invalid, { most: mostConnections });
  requireWholeNumbers({ divideAfterMs }, invalid, { least: 0 });
  return settings;
}

/** Far above what one process can use. */
const mostConnections = 1_000;

function invalid(what: string): ServiceError {
  return new ServiceError('SVC_STORAGE_MISCONFIGURED', `Cannot create postgres: ${what}.`);
}
