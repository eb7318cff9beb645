/** The storages that keep perspectives: what is promised of them is tested on each. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryStorage } from '@svc/core';
import { type PerspectiveStorage, type Storage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';

export type DurableStorage = Storage & { readonly perspectives: PerspectiveStorage };

/** Opens one and the same store, as each start of a host does. */
export type OpenStore = () => DurableStorage;

export interface TestStores {
  /** Makes an empty store. `leaseMs`: how long the leases of its hosts last. */
  fresh(leaseMs?: number): Promise<OpenStore>;
}

/** Runs tests on each storage. What a test opened is closed behind it. */
export function describeStores(define: (stores: TestStores, name: 'memory' | 'SQLite' | 'PostgreSQL') => void): void {
  describe('in memory', () => {
    define(
      {
        fresh() {
          const storage = new InMemoryStorage();
          return Promise.resolve(() => storage);
        },
      },
      'memory',
    );
  });

  describe('in SQLite', () => {
    const folders: string[] = [];
    afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
    define(
      {
        fresh(leaseMs) {
          const folder = mkdtempSync(join(tmpdir(), 'svc-perspectives-'));
          folders.push(folder);
          return Promise.resolve(() =>
            opened(sqlite({ file: join(folder, 'data.db'), ...(leaseMs !== undefined && { leaseMs }) })),
          );
        },
      },
      'SQLite',
    );
  });

  describe('in PostgreSQL', () => {
    let database: TestDatabase;
    beforeAll(async () => void (database = await createDatabase()));
    afterAll(() => database.remove());
    define(
      {
        async fresh(leaseMs) {
          await database.clear();
          return () => opened(postgres({ url: database.url, ...(leaseMs !== undefined && { leaseMs }) }));
        },
      },
      'PostgreSQL',
    );
  });
}

/** Closed when the test has ended, behind the services that were started on it. */
function opened<T extends Storage>(storage: T): T {
  onTestFinished(() => storage.close());
  return storage;
}
