import type { PendingMigration } from './migrations.js';

/** The database operations of the checks. This package has no driver; the CLI passes one in. */
export interface DatabaseAccess {
  /** Logs in to `postgres://…` and runs a query. Resolves with where that was, or throws the reason, without a password. */
  logIn(address: string): Promise<string>;
  /** The schema changes of the next start, for infrastructure and perspectives. The address is `postgres://…` or `sqlite:…`. */
  pending(address: string, perspectives: PerspectiveSource): Promise<readonly PendingMigration[]>;
}

/** Where to find the perspectives of the service. */
export interface PerspectiveSource {
  /** The built registry of the service. Null: the default file. */
  readonly registry: string | null;
  /** Whether the service calls `shareDataBetweenTenants()`. */
  readonly sharedTenants: boolean;
}
