/** Why a database cannot be opened, for the operator who configured it. */
import { ServiceError } from '@svc/core';
import { StorageUnavailableError } from '@svc/core/storage';
import pg from 'pg';
import { isConnectionLost } from './failures.js';

/** Rejections of the login, by SQLSTATE. */
const rejections: Readonly<Record<string, (database: string) => string>> = {
  '28P01': () =>
    'rejected the login: password authentication failed. Check the user and the password in the URL of the database',
  '28000': () =>
    'rejected the login (SQLSTATE 28000). Check the user in the URL of the database, and pg_hba.conf of the server',
  '3D000': (database) =>
    `has no database "${database}". Create it with createdb, or correct the name in the URL of the database`,
};

export interface OpenedServers {
  /** `host:port`, several separated by commas. */
  readonly address: string;
  readonly database: string;
}

/** The error of a database that could not be opened. It names the server, and neither the user nor the password. */
export function openFailure(error: unknown, { address, database }: OpenedServers): unknown {
  const cause = error instanceof StorageUnavailableError ? error.cause : error;
  const rejection = cause instanceof pg.DatabaseError ? rejections[cause.code ?? ''] : undefined;
  if (rejection !== undefined) {
    const message = `Cannot open the database: the PostgreSQL server at ${address} ${rejection(database)}.`;
    return new ServiceError('SVC_STORAGE_MISCONFIGURED', message, { cause });
  }
  if (error instanceof StorageUnavailableError) {
    return error.reason === 'unreachable' && error.address === undefined
      ? new StorageUnavailableError(error.outcome, cause, error.reason, address)
      : error;
  }
  const isLost = !(error instanceof ServiceError) && isConnectionLost(error);
  return isLost ? new StorageUnavailableError('none', error, 'unreachable', address) : error;
}
