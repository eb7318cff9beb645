/** Both databases as the tests of migrations see them: storages to open, and a way past them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationItem, MigrationOptions } from '@svc/core/storage';
import type { MigratingStorage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import pg from 'pg';
import { afterAll } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';

export type Row = Record<string, string | number | boolean | null>;

export interface TrialDatabase {
  /** What `--database` and child processes are given. */
  readonly where: string;
  /** A storage that is not open yet, with items of its own. */
  storage(items?: readonly MigrationItem[], options?: MigrationOptions): MigratingStorage;
  /** Runs SQL over a connection of its own. */
  query(sql: string): Promise<Row[]>;
  /** Keeps everybody else from changing a table until it is called off. */
  lock(table: string): Promise<() => Promise<void>>;
  /** Closes the storages and removes the database. */
  remove(): Promise<void>;
}

/** What opens the databases, for the tests of the file that calls this. */
export function useDatabases(): Readonly<Record<string, () => Promise<TrialDatabase>>> {
  // One for all of them: an empty schema of it is made much faster than a database.
  let shared: Promise<TestDatabase> | undefined;
  afterAll(async () => (await shared)?.remove());
  return { sqlite: onSqlite, postgres: async () => await onPostgres(await (shared ??= createDatabase())) };
}

async function onPostgres(database: TestDatabase): Promise<TrialDatabase> {
  await database.clear();
  const { url } = database;
  const opened: MigratingStorage[] = [];
  return {
    where: url,
    storage: (items = [], migrations = {}) => added(opened, postgres({ url, migrations, pollMs: 100 }), items),
    query: async (sql) => (await database.query(sql)).rows as Row[],
    async lock(table) {
      const client = new pg.Client(url);
      await client.connect();
      await client.query(`BEGIN; LOCK TABLE ${table} IN ROW EXCLUSIVE MODE`);
      return () => client.end();
    },
    async remove() {
      await Promise.all(opened.map((storage) => storage.close()));
    },
  };
}

interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): { all(): Row[] };
  close(): void;
}

function onSqlite(): Promise<TrialDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-migrations-'));
  const file = join(folder, 'data.db');
  const opened: MigratingStorage[] = [];
  return Promise.resolve({
    where: file,
    storage: (items = [], migrations = {}) => added(opened, sqlite({ file, migrations, pollMs: 100 }), items),
    query: async (sql) => {
      const database = connect(file);
      try {
        return await patiently(() =>
          /^\s*select/i.test(sql) ? database.prepare(sql).all() : (database.exec(sql), []),
        );
      } finally {
        database.close();
      }
    },
    async lock() {
      const database = connect(file);
      await patiently(() => database.exec('BEGIN IMMEDIATE'));
      return () => Promise.resolve(database.close());
    },
    async remove() {
      await Promise.all(opened.map((storage) => storage.close()));
      rmSync(folder, { recursive: true });
    },
  });
}

function added<T extends MigratingStorage>(opened: MigratingStorage[], storage: T, items: readonly MigrationItem[]): T {
  opened.push(storage);
  storage.migrations.add(...items);
  return storage;
}

function connect(file: string): Sqlite {
  const engine = (process.getBuiltinModule?.('node:sqlite') ??
    createRequire(import.meta.url)('@photostructure/sqlite')) as {
    DatabaseSync: new (file: string) => Sqlite;
  };
  const database = new engine.DatabaseSync(file);
  database.exec('PRAGMA busy_timeout = 50');
  return database;
}

/** Others write to the same file; waiting inside SQLite would stop them, since they are in this process. */
async function patiently<T>(work: () => T): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return work();
    } catch (error) {
      if (attempt > 100 || !(error instanceof Error) || !/locked/.test(error.message)) throw error;
    }
    await sleep(10);
  }
}
