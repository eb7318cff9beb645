import type { AccessControl } from '../access/index.js';
import type { PerspectiveStorage, Storage } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import type { DeadLetters } from '../transport/index.js';

/** What the parts of `Administration` share. */
export interface AdministrationParts {
  readonly access: AccessControl;
  /** The database of the current actor, or the one that an operator has chosen. */
  readonly storageOf: () => Storage | Promise<Storage>;
  /** The models in that database, or in memory if it stores none. */
  readonly perspectivesOf: () => PerspectiveStorage | Promise<PerspectiveStorage>;
  readonly deadLetters: DeadLetters;
  /** Emits the records of actions. */
  readonly emitter: SystemEventEmitter;
  /** The names of the databases; none if there is only one. */
  readonly databases: readonly string[];
  /** Runs work of an operator in a database. */
  readonly runIn: <T>(database: string, action: () => T) => T;
}
