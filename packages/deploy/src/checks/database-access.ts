import type { PendingMigration } from './migrations.js';

/** What checks need a driver for. This package has none: whoever has one brings it. Addresses are `postgres://…`. */
export interface DatabaseAccess {
  /** Logs in and asks something; resolves with where that was, or throws why it could not, without a password. */
  logIn(address: string): Promise<string>;
  /** What the next start would do to the schema. */
  pending(address: string): Promise<readonly PendingMigration[]>;
}
