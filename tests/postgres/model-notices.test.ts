/** Every login of a database may notify its channels, also one that may do nothing else. */
import type { ModelChange } from '@svc/core/storage';
import { newId } from '@svc/core';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { expect, it, onTestFinished } from 'vitest';
import { query, useDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
useDatabase((created) => (database = created));

it('reads again after notifications that no host has sent, and continues', async () => {
  const storage = postgres({ url: database.url });
  onTestFinished(() => storage.close());
  await storage.open();
  const changes: ModelChange[] = [];
  storage.perspectives.changes.define(['Orders']);
  storage.perspectives.changes.listen((change) => changes.push(change));
  const anyModel = { perspective: 'Orders', ids: null, revision: null };
  // The host listens.
  await expect.poll(() => changes).toEqual([anyModel]);
  const strange = [
    'refresh',
    '',
    '7',
    'null',
    '{}',
    '[]',
    '[7,1,["a"]]',
    '["Orders","1"]',
    '["Orders",1,"a"]',
    '["Orders",1,[2]]',
  ];
  for (const payload of strange) await query(database.url, `NOTIFY svc_models, '${payload}'`);
  await query(database.url, `NOTIFY svc_models, '["Orders",7,["a"]]'`);
  await expect.poll(() => changes).toContainEqual({ perspective: 'Orders', ids: ['a'], revision: 7 });
  expect(changes).toEqual([
    ...Array.from({ length: strange.length + 1 }, () => anyModel),
    { perspective: 'Orders', ids: ['a'], revision: 7 },
  ]);
  await storage.commit(commitRecord({ events: [pendingRecord(newId())] }));
});
