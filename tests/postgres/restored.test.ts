/** A dump carries the transaction ids of the cluster it was taken from; the one it is restored to may not have come so far. */
import { newId, type Service, type Uuid } from '@svc/core';
import { postgres } from '@svc/postgres';
import pg from 'pg';
import { afterAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { append, described, OrderTrace, shopWith } from '../perspectives/perspective-shop.js';
import { collect, OrderPlaced } from '../system-events/shop.js';
import { createDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase | undefined;
beforeEach(async () => {
  database ??= await createDatabase();
  await database.reset();
});
afterAll(() => database?.remove());

function started(): Service {
  return shopWith([described(OrderTrace, [OrderPlaced])], postgres({ url: database!.url })).start();
}

/** As if everything had been written in a cluster that is a million transactions further. */
async function restoreFromAfar(): Promise<void> {
  await database!.query(`
    ALTER TABLE svc_events DISABLE TRIGGER USER;
    UPDATE svc_events SET transaction_id = (transaction_id::text::bigint + 1000000)::text::xid8;
    ALTER TABLE svc_events ENABLE TRIGGER USER`);
}

async function readAll(service: Service, of: Uuid): Promise<Uuid[]> {
  const read = await collect(service.eventStore.readAll());
  return read.filter(({ streamId }) => streamId === of).map(({ envelope }) => envelope.id);
}

it('reads restored events, and newer events after them, however often it is restored', async () => {
  const streamId = newId();
  const appended: Uuid[] = [];
  for (let times = 0; times < 3; times++) {
    const service = started();
    const lens = service.lens(OrderTrace);
    appended.push(await append(service, streamId, 'x'), await append(service, streamId, 'x'));
    expect(await readAll(service, streamId)).toEqual(appended);
    await lens.waitFor(appended.at(-1)!);
    expect(await lens.find(streamId)).toEqual({ ids: appended });
    await service.rebuildPerspective(OrderTrace);
    expect(await lens.find(streamId)).toEqual({ ids: appended });
    await service.stop();
    await restoreFromAfar();
  }
});

it('also places the events of older transactions that commit later after the restored ones', async () => {
  const streamId = newId();
  const first = started();
  const restored = [await append(first, streamId, 'x'), await append(first, streamId, 'x')];
  await first.stop();
  // Nothing else, so that the last id is that of the stream.
  await database!.query(`
    ALTER TABLE svc_events DISABLE TRIGGER USER;
    DELETE FROM svc_events WHERE stream_id <> '${streamId}'`);
  await restoreFromAfar();
  const older = new pg.Client(database!.url);
  await older.connect();
  onTestFinished(() => older.end());
  await older.query('BEGIN; SELECT pg_current_xact_id()');
  for (let others = 0; others < 5; others++) await database!.query('SELECT pg_current_xact_id()');
  const service = started();
  // Nothing can come in front of what was restored, however long others take.
  expect(await readAll(service, streamId)).toEqual(restored);
  const late = newId();
  await older.query(
    `INSERT INTO svc_events (id, stream_id, position, type, body, timestamp, correlation_id, metadata)
     VALUES ($1, $2, 2, 'shop.OrderPlaced', '{"note":"x"}', now(), $1, '{}')`,
    [late, streamId],
  );
  await older.query('COMMIT');
  expect(await readAll(service, streamId)).toEqual([...restored, late]);
});

it('lets several hosts start concurrently on a restored database', async () => {
  const streamId = newId();
  const first = started();
  const before = await append(first, streamId, 'x');
  await first.stop();
  await restoreFromAfar();
  const services = [started(), started(), started()];
  const since = await Promise.all(services.map((service) => append(service, streamId, 'x')));
  const [read, ...others] = await Promise.all(services.map((service) => readAll(service, streamId)));
  expect(read![0]).toBe(before);
  // Those that others overtake get new ids.
  expect(read).toHaveLength(1 + since.length);
  expect(read).toEqual(read!.toSorted());
  for (const other of others) expect(other).toEqual(read);
});

it('does not change the ids of a database that was not restored', async () => {
  const service = started();
  await append(service, newId(), 'x');
  await service.stop();
  await started().ready();
  const { rows } = await database!.query("SELECT svc_transaction_id('7') = '7' AS same");
  expect(rows).toEqual([{ same: true }]);
});
