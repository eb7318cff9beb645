import { requireWholeNumbers, ServiceError } from '../errors/index.js';

/** The limits of migrations. Each is a whole number from 1 to 2,147,483,647. */
export interface MigrationOptions {
  /** How long a statement waits for a lock before it gives way to other transactions and is retried. Default: 500. */
  readonly lockTimeoutMs?: number;
  /** How long it is retried before the migration fails with Timeout. Default: 30,000. */
  readonly lockWaitMs?: number;
  /** How long one statement may take. Default: 600,000. */
  readonly statementTimeoutMs?: number;
  /** How many rows are copied in one transaction. Default: 1,000. */
  readonly batchSize?: number;
}

/** The limits of migrations, with defaults. */
export type MigrationSettings = Required<MigrationOptions>;

/** Completes the options of migrations with their defaults. */
export function migrationSettings(options: MigrationOptions = {}): MigrationSettings {
  const { lockTimeoutMs = 500, lockWaitMs = 30_000, statementTimeoutMs = 600_000, batchSize = 1_000 } = options;
  const settings = { lockTimeoutMs, lockWaitMs, statementTimeoutMs, batchSize };
  requireWholeNumbers(
    settings,
    (what) => new ServiceError('SVC_STORAGE_MISCONFIGURED', `Cannot use the options of migrations: ${what}.`),
  );
  return settings;
}
