/** A place that a client has was written to the disk: a crash of the database undoes later commits of models, never those up to the place. */
import { newId } from '@svc/core';
import { postgres } from '@svc/postgres';
import { expect, it, onTestFinished } from 'vitest';
import { createCluster } from '../../tools/postgres/cluster.mjs';

const nothing = { sources: [], rewound: [], snapshots: [], stopped: [], resumed: [] };

it('what was flushed survives a crash of PostgreSQL, although commits of models do not wait for the disk', async () => {
  // The longest that PostgreSQL waits before it writes such commits by itself.
  const cluster = await createCluster({ wal_writer_delay: '10s' });
  onTestFinished(() => cluster.remove());
  const open = (): ReturnType<typeof postgres> => postgres({ url: cluster.url });
  const storage = open();
  storage.perspectives.define([{ perspective: 'Counters', columns: [] }]);
  const commit = async (key: string): Promise<void> => {
    const { perspectives } = storage;
    const from = await perspectives.readProgress('Counters');
    const model = { id: key, key, owner: '', scope: null, body: '{}', version: 1, lastEventId: newId() };
    await perspectives.commitPerspective({
      ...nothing,
      perspective: 'Counters',
      from,
      to: from.sequence + 1,
      models: [{ ...model, indexed: {} }],
    });
  };
  await storage.open();
  await commit('before');
  await commit('flushed');
  await storage.perspectives.changes.flush();
  const { revision } = await storage.perspectives.readProgress('Counters');
  await commit('lost or not');
  await cluster.stop('immediate');
  await storage.close().catch(() => {});
  await cluster.start();

  const again = open();
  onTestFinished(() => again.close());
  again.perspectives.define([{ perspective: 'Counters', columns: [] }]);
  expect((await again.perspectives.readProgress('Counters')).revision).toBeGreaterThanOrEqual(revision);
  const keys = (await again.perspectives.readModels('Counters', ['before', 'flushed'])).map(({ key }) => key);
  expect(keys.toSorted()).toEqual(['before', 'flushed']);
}, 60_000);
