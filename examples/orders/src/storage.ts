import type { Storage } from '@svc/core/storage';
import { databaseAddress, postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';

export interface ChosenStorage {
  readonly storage: Storage;
  /** Where the data is, without a password. For display. */
  readonly where: string;
}

/** A PostgreSQL server if a URL is given, otherwise a local file. Nothing else changes. */
export function chooseStorage(url: string | undefined, allowPlaintext = false): ChosenStorage {
  if (url === undefined || url === '') {
    const file = '.svc/orders.db';
    return { storage: sqlite({ file }), where: file };
  }
  return { storage: postgres({ url, allowPlaintext }), where: `PostgreSQL at ${databaseAddress(url)}` };
}
