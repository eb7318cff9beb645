import type { MigrationOptions } from '@svc/core';

/** The database file, and the times that the storage waits. */
export interface SqliteOptions {
  /** The database file. It and missing folders are created for their owner alone. Default: `.svc/data.db` in the working directory. */
  readonly file?: string;
  /** How long a record waits at most while other processes write to the file. Default: 5,000. */
  readonly lockTimeoutMs?: number;
  /** How often the outbox is looked at for messages of other processes. Default: 5,000. Requests of operators are looked for once a second at least. */
  readonly pollMs?: number;
  /**
   * How long this process does what one process at a time does, or what an operator asked for, without saying so again; another takes over after
   * that. Default: 5,000.
   */
  readonly leaseMs?: number;
  /** How the schema is brought up to date when the storage is opened. */
  readonly migrations?: MigrationOptions;
}

export const defaultFile = '.svc/data.db';
export const defaultLockTimeoutMs = 5_000;
export const defaultLeaseMs = 5_000;
