import type { Dispatcher, NamedReceptor } from '../../dispatch/index.js';
import { CommandInbox, MessageRejectedError, type PlaceTenant } from '../../transport/index.js';
import type { DatabaseRouter } from '../databases/database-router.js';
import { placing } from '../databases/placing.js';
import type { Foundation } from './foundation.js';
import { openerOf } from './personal-data.js';

/** How the scheduled commands of a database are run. */
export interface SchedulingParts {
  /** Runs commands in this database. */
  readonly inbox: CommandInbox;
  /** Confirms that this is the database of a tenant. */
  readonly place: PlaceTenant;
  /** The types of the commands that have a receptor. */
  readonly types: readonly string[];
}

/** The parts for each database: its commands run where they are scheduled, because the commit that runs them removes them there. */
export function schedulingOf(
  router: DatabaseRouter<Foundation>,
  dispatchers: ReadonlyMap<Foundation, Dispatcher>,
  receptors: ReadonlyMap<unknown, NamedReceptor>,
): ReadonlyMap<Foundation, SchedulingParts> {
  const types = [...receptors.values()].map(({ commandType }) => commandType);
  return new Map(
    router.all.map((database) => [
      database,
      {
        inbox: new CommandInbox(database.messages, dispatchers.get(database)!, openerOf(database.personal)),
        place: placingIn(database, router),
        types,
      },
    ]),
  );
}

function placingIn(database: Foundation, router: DatabaseRouter<Foundation>): PlaceTenant {
  const place = placing(router);
  if (router.isSingle) return place;
  return async (tenant) => {
    // Without a tenant, the host has chosen the database.
    if (tenant === '') return null;
    const misplaced = await place(tenant);
    if (misplaced !== null || router.routeOf(tenant) === database) return misplaced;
    return new MessageRejectedError(
      'UnknownTenant',
      `Cannot run the scheduled command: the data of the tenant ${JSON.stringify(tenant)} are in another database than ${database.name}.`,
    );
  };
}
