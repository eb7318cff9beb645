/** A host that freezes within a transaction holds locks. Another host takes its work over, and must not wait until the first one ends. */
import { newId } from '@svc/core';
import { postgres, type PostgresStorage } from '@svc/postgres';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { useDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
useDatabase((created) => (database = created));

async function opened(): Promise<PostgresStorage> {
  const storage = postgres({ url: database.url });
  await storage.open();
  storage.perspectives.define([{ perspective: 'Orders', columns: [] }]);
  return storage;
}

async function commit({ perspectives }: PostgresStorage, body: string): Promise<void> {
  const model = { id: 'k', key: 'k', owner: 'a', body, version: 1, lastEventId: newId(), scope: null, indexed: {} };
  const from = await perspectives.readProgress('Orders');
  const snapshots = [{ id: 'k', eventId: newId(), body: '{}', version: 1 }];
  const nothing = { sources: [], rewound: [], stopped: [], resumed: [] };
  const to = from.sequence + 1;
  await perspectives.commitPerspective({ ...nothing, perspective: 'Orders', from, to, models: [model], snapshots });
}

it('ends the transaction of a frozen host, so that another one can commit', async () => {
  const [frozen, other] = [await opened(), await opened()];
  onTestFinished(() => other.close());
  // The rest of the transaction never runs, and its connection remains open. The storage is not closed: that would wait for it.
  const run = pg.Client.prototype.query;
  const isReached = new Promise<void>((reached) => {
    const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      const [statement] = args as [{ text?: string } | string];
      const text = typeof statement === 'string' ? statement : (statement.text ?? '');
      if (!/INSERT INTO \S*snapshots/.test(text)) return Reflect.apply(run, this, args) as never;
      query.mockRestore();
      reached();
      return new Promise(() => {}) as never;
    });
  });
  void commit(frozen, '1');
  await isReached;
  await commit(other, '2');
  expect(await other.perspectives.readModels('Orders', ['k'])).toMatchObject([{ body: '2' }]);
});
