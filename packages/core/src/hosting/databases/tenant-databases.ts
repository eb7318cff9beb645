import { ServiceError } from '../../errors/index.js';
import type { Storage } from '../../storage/index.js';

/** Several databases behind one service: each holds all data of its tenants. */
export interface TenantDatabases<TName extends string = string> {
  /** The databases by their names. A name has 1 to 40 lower-case letters, digits and hyphens. */
  readonly databases: Readonly<Record<TName, Storage>>;
  /**
   * The name of the database that holds the data of a tenant; null: the tenant is unknown, and its callers are rejected. It is called for every
   * request and must always return the same name for a tenant: moving a tenant moves none of its data.
   */
  readonly storageOf: (tenantId: string) => TName | null;
  /** The name of the database for everything without a tenant: callers without one, and the records of the service itself. */
  readonly default: NoInfer<TName>;
}

const validName = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** Throws if the databases cannot be used together. */
export function requireValid({ databases, default: fallback }: TenantDatabases): void {
  const names = Object.keys(databases);
  const invalid = names.find((name) => !validName.test(name));
  if (invalid !== undefined) {
    throw invalidDatabases(
      `${JSON.stringify(invalid)} is not a valid name of a database. Use 1 to 40 lower-case letters, digits and hyphens.`,
    );
  }
  if (!Object.hasOwn(databases, fallback)) {
    throw invalidDatabases(
      `The default database is ${JSON.stringify(fallback)}, and the databases are ${names.join(', ') || 'none'}. Name one of them.`,
    );
  }
  const storages = new Set(Object.values(databases));
  if (storages.size < names.length) {
    throw invalidDatabases(`Two of the databases ${names.join(', ')} are the same storage. Create one for each name.`);
  }
}

/** Tenants choose the database, so all data must belong to one. */
export function requireIsolation({
  isolatesTenants,
  marksTenants,
}: {
  readonly isolatesTenants: boolean;
  readonly marksTenants: boolean;
}): void {
  if (isolatesTenants && marksTenants) return;
  throw invalidDatabases(
    isolatesTenants
      ? 'A service with several databases has no authentication, so its callers have no tenants. Call addAuthentication(…), or isolateTenants() for a host without callers.'
      : 'A service with several databases cannot share data between tenants. Remove shareDataBetweenTenants(), or use one database.',
  );
}

function invalidDatabases(message: string): ServiceError {
  return new ServiceError('SVC_DATABASES_INVALID', message);
}
