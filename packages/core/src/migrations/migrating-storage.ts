import type { PerspectiveStorage, Storage } from '../storage/index.js';
import { Migrations } from './migrations.js';

/** A storage whose schema is migrated: opening it runs its migrations. */
export interface MigratingStorage extends Storage {
  readonly migrations: Migrations;
  /** The tables of perspectives are part of its schema. */
  readonly perspectives: PerspectiveStorage;
}

/** The migrations of a storage; null when it has none. */
export function migrationsOf(storage: Storage): Migrations | null {
  const { migrations } = storage as Partial<MigratingStorage>;
  return migrations instanceof Migrations ? migrations : null;
}
