import type { AccessControl } from '../access/index.js';
import type { HealthPipeline } from '../health/index.js';
import type { PersonalCipher } from '../personal/index.js';
import type { ModelHistory } from '../perspectives/index.js';
import type { PerspectiveStorage, Storage } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import type { DeadLetters } from '../transport/index.js';
import type { ObservedDatabase } from './observed-database.js';

/** What the parts of `Administration` share. */
export interface AdministrationParts {
  readonly access: AccessControl;
  /** The database of the current actor, or the one that an operator has chosen. */
  readonly storageOf: () => Storage | Promise<Storage>;
  /** What this host knows about the same database. */
  readonly observed: () => ObservedDatabase | Promise<ObservedDatabase>;
  /** The health of this host. */
  readonly health: () => HealthPipeline;
  /** The perspectives of the same database, to compute earlier models. */
  readonly historiesOf: () => readonly ModelHistory[] | Promise<readonly ModelHistory[]>;
  /** The same database with encrypted values; null: the service has no personal data. */
  readonly personalOf: () => StoredPersonal | null | Promise<StoredPersonal | null>;
  /** The deciders with snapshots. */
  readonly deciders: readonly { readonly name: string; readonly version: string }[];
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

/** Personal data as they are stored. */
export interface StoredPersonal {
  readonly raw: Storage;
  readonly cipher: PersonalCipher;
}
