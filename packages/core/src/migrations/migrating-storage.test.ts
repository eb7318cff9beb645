import { expect, it } from 'vitest';
import { InMemoryStorage } from '../storage/index.js';
import { migrationsOf } from './migrating-storage.js';
import type { MigrationDatabase } from './migration-database.js';
import { Migrations } from './migrations.js';

it('a storage whose schema is migrated has migrations, and the in-memory one has none', () => {
  const storage = new InMemoryStorage();
  expect(migrationsOf(storage)).toBeNull();
  const migrations = new Migrations({} as MigrationDatabase, []);
  expect(migrationsOf(Object.assign(storage, { migrations }))).toBe(migrations);
});

it('what another library calls migrations is ignored', () => {
  expect(migrationsOf(Object.assign(new InMemoryStorage(), { migrations: { run: () => {} } }))).toBeNull();
});
