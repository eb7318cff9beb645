/** Two databases of each kind, behind one service. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TenantDatabases } from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';

export type Name = 'eu' | 'us';
export type Row = Record<string, string | number | boolean | null>;

export interface Pair {
  /** What `--database` accepts for each. */
  readonly where: Readonly<Record<Name, string>>;
  /** Opens both, for a service that closes them. */
  open(storageOf?: TenantDatabases<Name>['storageOf']): TenantDatabases<Name>;
  /** Opens one of them. */
  storage(name: Name): Storage;
  /** Runs SQL over a connection of its own. */
  query(name: Name, sql: string): Promise<readonly Row[]>;
}

const names: readonly Name[] = ['eu', 'us'];

/** Tenants whose names start with `us-` are in the database `us`, tenants that start with `x` are unknown, all others are in `eu`. */
export function regionOf(tenant: string): Name | null {
  if (tenant.startsWith('x')) return null;
  return tenant.startsWith('us-') ? 'us' : 'eu';
}

export function describePairs(
  define: (fresh: (state?: 'migrated' | 'empty') => Promise<Pair>, kind: 'SQLite' | 'PostgreSQL') => void,
): void {
  describe('on two SQLite files', () => {
    const folders: string[] = [];
    afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
    define(() => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-databases-'));
      folders.push(folder);
      const file = (name: Name): string => join(folder, `${name}.db`);
      return Promise.resolve(
        pairOf(
          file,
          (name) => sqlite({ file: file(name) }),
          (name, sql) => Promise.resolve(queryFile(file(name), sql)),
        ),
      );
    }, 'SQLite');
  });

  describe('on two PostgreSQL databases', () => {
    let databases: Record<Name, TestDatabase>;
    beforeAll(async () => void (databases = { eu: await createDatabase(), us: await createDatabase() }));
    afterAll(async () => {
      for (const name of names) await databases[name].remove();
    });
    define(async (state) => {
      for (const name of names) await (state === 'empty' ? databases[name].clear() : databases[name].reset());
      return pairOf(
        (name) => databases[name].url,
        (name) => postgres({ url: databases[name].url }),
        async (name, sql) => (await databases[name].query(sql)).rows as Row[],
      );
    }, 'PostgreSQL');
  });
}

function pairOf(where: (name: Name) => string, create: (name: Name) => Storage, query: Pair['query']): Pair {
  return {
    where: { eu: where('eu'), us: where('us') },
    open: (storageOf = regionOf) => ({
      databases: { eu: create('eu'), us: create('us') },
      storageOf,
      default: 'eu',
    }),
    storage(name) {
      const created = create(name);
      onTestFinished(() => created.close());
      return created;
    },
    query,
  };
}

interface Sqlite {
  prepare(sql: string): { all(): Row[] };
  close(): void;
}

function queryFile(file: string, sql: string): readonly Row[] {
  const engine = (process.getBuiltinModule?.('node:sqlite') ??
    createRequire(import.meta.url)('@photostructure/sqlite')) as { DatabaseSync: new (file: string) => Sqlite };
  const database = new engine.DatabaseSync(file);
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}
