/** The database of one run: a SQLite file in the run's folder, or a private PostgreSQL cluster. */
import { join } from 'node:path';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { createCluster } from '../../postgres/cluster.mjs';

export const databases = ['sqlite', 'postgres'];

export async function createDatabase(kind, folder) {
  return kind === 'postgres' ? await postgresDatabase() : sqliteDatabase(folder);
}

function sqliteDatabase(folder) {
  return {
    environment: {},
    open: () => sqlite({ file: join(folder, '.svc', 'orders.db') }),
    remove: () => Promise.resolve(),
  };
}

async function postgresDatabase() {
  // The log is compared while the cluster runs: it need not survive a crash of the machine.
  const cluster = await createCluster({ fsync: 'off' });
  return {
    environment: { DATABASE_URL: cluster.url },
    open: () => postgres({ url: cluster.url }),
    remove: () => cluster.remove(),
  };
}

const deliveryMs = 60_000;

/** Waits until the service has delivered every audit record; false if it has not within a minute. */
export async function untilDelivered(storage) {
  for (const end = Date.now() + deliveryMs; Date.now() < end;) {
    if ((await storage.readOutgoing('system', 1)).length === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
