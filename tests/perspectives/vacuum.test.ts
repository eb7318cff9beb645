/** The server tidies up tables while they are in use; a rebuild that ends then is neither lost nor in anybody's way. */
import { tableNamesOf } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { OrderPlaced } from '../system-events/shop.js';
import { append, described, ids, OrderTrace, shopWith } from './perspective-shop.js';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.remove());

async function connected(): Promise<pg.Client> {
  const client = new pg.Client(database.url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

it('lets readers pass while the swap of a rebuild waits for a vacuum of the table', async () => {
  const service = shopWith([described(OrderTrace, [OrderPlaced])], postgres({ url: database.url })).start();
  const streamId = ids(1)[0]!;
  const eventId = await append(service, streamId, 'x');
  await service.idle();
  const [vacuum, observer] = [await connected(), await connected()];
  const { models } = tableNamesOf('OrderTrace');
  // The lock of a vacuum, for as long as the test wants.
  await vacuum.query(`BEGIN; LOCK TABLE ${models} IN SHARE UPDATE EXCLUSIVE MODE`);
  const rebuilt = service.rebuildPerspective(OrderTrace);
  const waiting = `SELECT mode FROM pg_locks WHERE NOT granted AND relation = '${models}'::regclass`;
  await expect.poll(async () => (await observer.query(waiting)).rows.length, { timeout: 10_000 }).toBe(1);
  for (let reads = 0; reads < 20; reads++) {
    expect(await service.lens(OrderTrace).find(streamId)).toEqual({ ids: [eventId] });
  }
  expect((await observer.query(waiting)).rows).toEqual([{ mode: 'ShareUpdateExclusiveLock' }]);
  await vacuum.query('COMMIT');
  expect(await rebuilt).toEqual({ streamsProcessed: 1, eventsReplayed: 1 });
  expect(await service.lens(OrderTrace).find(streamId)).toEqual({ ids: [eventId] });
});
