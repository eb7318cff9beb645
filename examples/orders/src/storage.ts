import type { Storage } from '@svc/core/storage';
import { databaseAddress, postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';

export interface ChosenStorage {
  readonly storage: Storage;
  /** Where the data is, without a password. For display. */
  readonly where: string;
}

/** The environment variables that name the database. */
export interface StorageVariables {
  readonly DATABASE_URL?: string | undefined;
  /** Without a pooler in transaction mode, if `DATABASE_URL` is that of one. */
  readonly DATABASE_LISTEN_URL?: string | undefined;
  /** A replica that serves models. */
  readonly DATABASE_READ_URL?: string | undefined;
  /** `separate`: the role of `DATABASE_URL` must not be able to change stored events. */
  readonly DATABASE_ROLES?: string | undefined;
  readonly ALLOW_PLAINTEXT?: string | undefined;
}

/** A PostgreSQL server if a URL is given, otherwise a local file. Nothing else changes. */
export function chooseStorage(variables: StorageVariables): ChosenStorage {
  const { DATABASE_URL: url = '', DATABASE_LISTEN_URL: listenUrl = '', DATABASE_READ_URL: readUrl = '' } = variables;
  if (url === '') {
    const file = '.svc/orders.db';
    return { storage: sqlite({ file }), where: file };
  }
  const storage = postgres({
    url,
    ...(listenUrl !== '' && { listenUrl }),
    ...(readUrl !== '' && { readUrl }),
    separateRoles: variables.DATABASE_ROLES === 'separate',
    allowPlaintext: variables.ALLOW_PLAINTEXT === 'yes',
  });
  return { storage, where: `PostgreSQL at ${databaseAddress(url)}` };
}
