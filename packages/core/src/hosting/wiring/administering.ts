import { Administration, type AdministrationParts } from '../../administration/index.js';
import type { PerspectiveStorage } from '../../storage/index.js';
import type { DatabaseRouter } from '../databases/database-router.js';
import { after } from './after.js';
import type { Foundation } from './foundation.js';

/** What operators see and change: in the database of the current actor, or in the one that an operator has chosen. */
export function administrationOf(
  router: DatabaseRouter<Foundation>,
  { access, emitter, deadLetters }: Pick<AdministrationParts, 'access' | 'emitter' | 'deadLetters'>,
  perspectivesOf: (database: Foundation) => PerspectiveStorage,
): Administration {
  const ofActor = <T>(part: (database: Foundation) => T): T | Promise<T> => after(router.of(access.actor), part);
  return new Administration({
    access,
    emitter,
    deadLetters,
    storageOf: () => ofActor(({ storage }) => storage),
    perspectivesOf: () => ofActor(perspectivesOf),
    databases: router.isSingle ? [] : router.all.map(({ name }) => name),
    runIn: (name, action) => router.runIn(router.named(name), action, access.actor),
  });
}
