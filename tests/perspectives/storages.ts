/** The storages that keep perspectives: what is promised of them is tested on each. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryStorage } from '@svc/core';
import { type PerspectiveStorage, type Storage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
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
    let folder: string;
    let files = 0;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'svc-perspectives-'));
      const migrated = sqlite({ file: join(folder, 'migrated.db') });
      await migrated.open();
      await migrated.close();
    });
    afterAll(() => rmSync(folder, { recursive: true }));
    define(
      {
        fresh(leaseMs) {
          const file = join(folder, `data-${++files}.db`);
          // A copy takes a third of the time of a migration.
          copyFileSync(join(folder, 'migrated.db'), file);
          return Promise.resolve(() => opened(sqlite({ file, ...(leaseMs !== undefined && { leaseMs }) })));
        },
      },
      'SQLite',
    );
  });

  describe('in PostgreSQL', () => {
    let database: TestDatabase;
    let lastTest: string | undefined;
    beforeAll(async () => void (database = await createDatabase()));
    afterAll(() => database.remove());
    define(
      {
        async fresh(leaseMs) {
          const test = expect.getState().currentTestName;
          // A test with several stores uses the first one still.
          await (test === lastTest ? database.clear() : database.reset());
          lastTest = test;
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
