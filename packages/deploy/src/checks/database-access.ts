import type { PendingMigration } from './migrations.js';

/** What checks need a driver for. This package has none: the CLI passes it in. */
export interface DatabaseAccess {
  /** Logs in to `postgres://…` and asks something; resolves with where that was, or throws why it could not, without a password. */
  logIn(address: string): Promise<string>;
  /** What the next start would do to the schema, infrastructure and perspectives. The address is `postgres://…` or `sqlite:…`. */
  pending(address: string, perspectives: PerspectiveSource): Promise<readonly PendingMigration[]>;
}

/** Where the perspectives of the service are known from. */
export interface PerspectiveSource {
  /** The built registry of the service. Null: where it usually is. */
  readonly registry: string | null;
  /** Whether the service calls `shareDataBetweenTenants()`. */
  readonly sharedTenants: boolean;
}
