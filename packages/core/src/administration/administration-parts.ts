import type { AccessControl } from '../access/index.js';
import type { HealthPipeline } from '../health/index.js';
import type { Storage } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import type { ObservedDatabase } from './observed-database.js';

/** What the parts of `Administration` share. */
export interface AdministrationParts {
  readonly access: AccessControl;
  /** The database of the current actor, or the one of `runInDatabase`. */
  readonly storageOf: () => Storage | Promise<Storage>;
  /** What this host knows about the same database. */
  readonly observed: () => ObservedDatabase | Promise<ObservedDatabase>;
  /** The health of this host. */
  readonly health: () => HealthPipeline;
  /** Emits the records of actions. */
  readonly emitter: SystemEventEmitter;
}
