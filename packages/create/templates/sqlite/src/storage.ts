import type { Storage } from '@svc/core/storage';
import { sqlite } from '@svc/sqlite';

/** A database in a file. */
export function storage(): Storage {
  return sqlite({ file: '.svc/template-service.db' });
}
