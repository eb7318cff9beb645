import type { Storage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';

/** The database in `DATABASE_URL`, or that of compose.yaml. */
export function storage(): Storage {
  const url = process.env['DATABASE_URL'] ?? 'postgres://template-service:development@127.0.0.1:5432/template-service';
  return postgres({ url });
}
