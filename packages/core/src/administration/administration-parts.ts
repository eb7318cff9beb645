import type { AccessControl } from '../access/index.js';
import type { Storage } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';

/** What the parts of `Administration` share. */
export interface AdministrationParts {
  readonly access: AccessControl;
  /** The database of the current actor, or the one of `runInDatabase`. */
  readonly storageOf: () => Storage | Promise<Storage>;
  /** Emits the records of actions. */
  readonly emitter: SystemEventEmitter;
}
