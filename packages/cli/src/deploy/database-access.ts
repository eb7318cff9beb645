import { existsSync } from 'node:fs';
import type { DatabaseAccess } from '@svc/deploy';
import { chooseDatabase, type ChosenDatabase } from '../database/choose-database.js';
import { servicePerspectives, defaultRegistry } from '../database/service-perspectives.js';
import { pendingOf } from '../migrate/figures.js';

/** Database access for the checks before a deployment, with the databases that `svc migrate` supports. */
export const databaseAccess = (allowPlaintext: boolean): DatabaseAccess => ({
  logIn: (address) =>
    withDatabase(address, allowPlaintext, async ({ storage, where }) => {
      await storage.migrations.records();
      return `logged in to ${where}`;
    }),
  pending: async (address, { registry, sharedTenants }) => {
    const perspectives = await servicePerspectives({ registry: registry ?? undefined, sharedTenants });
    if (perspectives === null)
      throw new Error(
        `the perspectives of the service are unknown: ${defaultRegistry} does not exist. Build the service, or set checks.pre.registry`,
      );
    return await withDatabase(fileOf(address), allowPlaintext, async ({ storage }) => {
      storage.migrations.add(...perspectives);
      const planned = (await storage.migrations.plan()).filter(({ action }) => action !== 'skip');
      const blocked = planned.find(({ action }) => action === 'refuse');
      if (blocked !== undefined) throw new Error(`${blocked.item.key}: ${blocked.description}`);
      return planned.map(pendingOf);
    });
  },
});

/** A missing file is planned as an empty database and is not created. */
function fileOf(address: string): string {
  if (!address.startsWith('sqlite:')) return address;
  const file = address.slice('sqlite:'.length);
  return existsSync(file) ? file : ':memory:';
}

async function withDatabase<T>(
  address: string,
  allowPlaintext: boolean,
  work: (database: ChosenDatabase) => Promise<T>,
): Promise<T> {
  const database = await chooseDatabase(address, {
    creates: address === ':memory:',
    applicationName: 'svc deploy',
    allowPlaintext,
  });
  try {
    return await work(database);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const why = error.cause instanceof Error ? ` ${error.cause.message}` : '';
    throw new Error(database.redacted(`${error.message}${why}`), { cause: error });
  } finally {
    await database.storage.close();
  }
}
