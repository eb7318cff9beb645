import { ServiceError } from '../../errors/index.js';
import { everyTenant, MessageRejectedError, type PlaceTenant } from '../../transport/index.js';
import type { DatabaseRouter } from './database-router.js';
import type { Home } from './tenant-homes.js';

/**
 * Confirms the database of a tenant for messages from other hosts: those of an unknown or moved tenant are rejected, and those of a tenant whose database
 * this host does not have.
 */
export function placing(router: DatabaseRouter<Home>): PlaceTenant {
  if (router.isSingle) return everyTenant;
  return (tenant) => {
    const unrouted = failureOf(() => router.routeOf(tenant));
    if (unrouted !== null) return new MessageRejectedError('UnknownTenant', unrouted);
    try {
      const database = router.ofTenant(tenant);
      return database instanceof Promise ? database.then(() => null, rejection) : null;
    } catch (error) {
      return rejection(error);
    }
  };
}

/** The database that rejects a message of a tenant, or stores it. A message must not hold back those of other tenants in its batch. */
export function databaseOfMessage<TDatabase extends Home>(
  router: DatabaseRouter<TDatabase>,
  tenant: string,
): TDatabase {
  try {
    return router.routeOf(tenant) ?? router.fallback;
  } catch {
    return router.fallback;
  }
}

/** What an action throws; null: nothing. */
function failureOf(action: () => unknown): string | null {
  try {
    action();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function rejection(error: unknown): MessageRejectedError {
  const isOfTenant =
    error instanceof ServiceError && (error.code === 'SVC_UNKNOWN_TENANT' || error.code === 'SVC_TENANT_MOVED');
  if (isOfTenant) return new MessageRejectedError('UnknownTenant', error.message);
  throw error;
}
