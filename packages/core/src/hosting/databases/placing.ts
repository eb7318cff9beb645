import { ServiceError } from '../../errors/index.js';
import { everyTenant, MessageRejectedError, type PlaceTenant } from '../../transport/index.js';
import type { DatabaseRouter } from './database-router.js';
import type { Home } from './tenant-homes.js';

/** Confirms the database of a tenant for messages from other hosts: those of an unknown or moved tenant are rejected. */
export function placing(router: DatabaseRouter<Home>): PlaceTenant {
  if (router.isSingle) return everyTenant;
  return (tenant) => {
    try {
      const database = router.ofTenant(tenant);
      return database instanceof Promise ? database.then(() => null, rejection) : null;
    } catch (error) {
      return rejection(error);
    }
  };
}

function rejection(error: unknown): MessageRejectedError {
  const isOfTenant =
    error instanceof ServiceError && (error.code === 'SVC_UNKNOWN_TENANT' || error.code === 'SVC_TENANT_MOVED');
  if (isOfTenant) return new MessageRejectedError('UnknownTenant', error.message);
  throw error;
}
