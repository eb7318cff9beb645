import type { AccessControl } from '../../access/index.js';
import { Administration } from '../../administration/index.js';
import type { HealthPipeline } from '../../health/index.js';
import type { SystemEventEmitter } from '../../system-events/index.js';
import type { DeadLetters } from '../../transport/index.js';
import type { DatabaseRouter } from '../databases/database-router.js';
import { after } from './after.js';
import { decidersOf } from './deciders.js';
import type { Foundation, ServiceFoundation } from './foundation.js';
import type { RunningDatabase } from './running-database.js';

/** What the administration needs of a service. */
interface AdministeredService {
  readonly access: AccessControl;
  readonly emitter: SystemEventEmitter;
  readonly deadLetters: DeadLetters;
  readonly health: HealthPipeline;
}

/** The administration of a service: each call works in the database of the current actor. */
export function administrationOf(
  foundation: ServiceFoundation,
  service: AdministeredService,
  router: DatabaseRouter<Foundation>,
  runningOf: (database: Foundation) => RunningDatabase,
): Administration {
  const { access, emitter, deadLetters } = service;
  const database = (): Foundation | Promise<Foundation> => router.of(access.actor);
  return new Administration({
    access,
    emitter,
    deadLetters,
    storageOf: () => after(database(), ({ storage }) => storage),
    historiesOf: () => after(database(), (found) => runningOf(found).perspectives.histories),
    perspectivesOf: () => after(database(), (found) => runningOf(found).perspectives.storage),
    databases: router.isSingle ? [] : router.all.map(({ name }) => name),
    runIn: (name, action) => router.runIn(router.named(name), action, access.actor),
    observed: () => after(database(), (found) => runningOf(found).observed),
    // It is created after the administration.
    health: () => service.health,
    personalOf: () => after(database(), ({ personal }) => personal),
    deciders: [...decidersOf(foundation).values()].flatMap(({ name, snapshots }) =>
      snapshots === null ? [] : [{ name, version: snapshots.version }],
    ),
  });
}
