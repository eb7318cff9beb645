import type { AccessControl } from '../../access/index.js';
import { Administration } from '../../administration/index.js';
import type { ModelHistory } from '../../perspectives/index.js';
import type { SystemEventEmitter } from '../../system-events/index.js';
import type { DatabaseRouter } from '../databases/database-router.js';
import { after } from './after.js';
import { decidersOf } from './deciders.js';
import type { Foundation, ServiceFoundation } from './foundation.js';

/** The administration of a service: each call works in the database of the current actor. */
export function administrationOf(
  foundation: ServiceFoundation,
  { access, emitter }: { readonly access: AccessControl; readonly emitter: SystemEventEmitter },
  router: DatabaseRouter<Foundation>,
  perspectivesOf: (database: Foundation) => { readonly histories: readonly ModelHistory[] },
): Administration {
  const database = (): Foundation | Promise<Foundation> => router.of(access.actor);
  return new Administration({
    access,
    emitter,
    storageOf: () => after(database(), ({ storage }) => storage),
    historiesOf: () => after(database(), (found) => perspectivesOf(found).histories),
    personalOf: () => after(database(), ({ personal }) => personal),
    deciders: [...decidersOf(foundation).values()].flatMap(({ name, snapshots }) =>
      snapshots === null ? [] : [{ name, version: snapshots.version }],
    ),
  });
}
