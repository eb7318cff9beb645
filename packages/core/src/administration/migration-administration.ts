import { migrationsOf, type MigrationRecord, type PlannedItem } from '../migrations/index.js';
import type { AdministrationParts } from './administration-parts.js';
import { authorizeOperatorRead } from './authorize-operator.js';

/** The schema of a database: what has been migrated, and what is left. */
export interface SchemaState {
  readonly records: readonly MigrationRecord[];
  /** The items that have never run, or must run again. */
  readonly pending: readonly PlannedItem[];
}

/** The migrations of a database, for operators. */
export class MigrationAdministration {
  readonly #parts: AdministrationParts;

  constructor(parts: AdministrationParts) {
    this.#parts = parts;
  }

  /** Null: the storage has no schema. */
  async list(): Promise<SchemaState | null> {
    await authorizeOperatorRead(this.#parts.access);
    const migrations = migrationsOf(await this.#parts.storageOf());
    if (migrations === null) return null;
    const records = await migrations.records();
    const pending = (await migrations.plan()).filter(({ action }) => action !== 'skip');
    return { records, pending };
  }
}
