import type { DatabaseAccess } from '@svc/deploy';
import { chooseDatabase, type ChosenDatabase } from '../database/choose-database.js';
import { pendingOf } from '../migrate/figures.js';

/** The databases that `svc migrate` knows, for the checks before a deployment. */
export const databaseAccess = (allowPlaintext: boolean): DatabaseAccess => ({
  logIn: (address) =>
    withDatabase(address, allowPlaintext, async ({ storage, where }) => {
      await storage.migrations.records();
      return `logged in to ${where}`;
    }),
  pending: (address) =>
    withDatabase(address, allowPlaintext, async ({ storage }) => {
      const planned = (await storage.migrations.plan()).filter(({ action }) => action !== 'skip');
      const refused = planned.find(({ action }) => action === 'refuse');
      if (refused !== undefined) throw new Error(`${refused.item.key}: ${refused.description}`);
      return planned.map(pendingOf);
    }),
});

async function withDatabase<T>(
  address: string,
  allowPlaintext: boolean,
  work: (database: ChosenDatabase) => Promise<T>,
): Promise<T> {
  const database = await chooseDatabase(address, { creates: false, who: 'svc deploy', allowPlaintext });
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
