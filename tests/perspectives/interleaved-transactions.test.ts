/** Where several hosts write at once, sequence numbers do not ascend in the order in which events are read. */
import { newId, type Uuid } from '@svc/core';
import { postgres } from '@svc/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { idAhead } from '../clocks/id-ahead.js';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { collect, OrderPlaced } from '../system-events/shop.js';
import { append, described, ids, NoteTrace, OrderTrace, shopWith } from './perspective-shop.js';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.remove());

/** A transaction of another host. Like a commit statement, it locks the table of events before it gets its id. */
async function begun(): Promise<pg.Client> {
  const client = new pg.Client(database.url);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN; LOCK TABLE svc_events IN ROW EXCLUSIVE MODE; SELECT pg_current_xact_id()');
  return client;
}

async function insert(client: pg.Client, streamId: Uuid, id: Uuid, position: number): Promise<void> {
  await client.query(
    `INSERT INTO svc_events (transaction_id, id, stream_id, position, type, body, timestamp, correlation_id, metadata)
     VALUES (pg_current_xact_id(), $1, $2, $3, 'shop.OrderPlaced', '{"note":"x"}', now(), $1, '{"origin":"elsewhere"}')`,
    [id, streamId, position],
  );
}

it('loses no late event whose batch ends with a lower sequence number', async () => {
  const service = shopWith([described(OrderTrace, [OrderPlaced])], postgres({ url: database.url })).start();
  const [streamId, other] = ids(2) as [Uuid, Uuid];
  const [first, late, last] = ids(3) as [Uuid, Uuid, Uuid];
  await append(service, streamId, 'x', first);
  await append(service, streamId, 'x', last);
  await service.idle();
  const [earlier, later] = [await begun(), await begun()];
  const behind = newId();
  await insert(later, other, behind, 0);
  await insert(earlier, streamId, late, 2);
  await later.query('COMMIT');
  await earlier.query('COMMIT');
  const lens = service.lens(OrderTrace);
  await expect.poll(() => lens.find(other), { timeout: 10_000 }).toEqual({ ids: [behind] });
  const read = (await collect(service.eventStore.readAll())).filter(({ envelope }) =>
    [late, behind].includes(envelope.id),
  );
  expect(read.map(({ envelope }) => envelope.id)).toEqual([late, behind]);
  expect(read[0]!.sequence).toBeGreaterThan(read[1]!.sequence);
  expect(await lens.find(streamId)).toEqual({ ids: [first, late, last] });
  // Made anew, it is the same, and nothing is missing from what is told of it.
  expect(await service.rebuildPerspective(OrderTrace)).toEqual({ streamsProcessed: 2, eventsReplayed: 4 });
  expect(await lens.find(streamId)).toEqual({ ids: [first, late, last] });
  await service.rebuildPerspective(OrderTrace, { streams: [streamId] });
  expect(await lens.find(streamId)).toEqual({ ids: [first, late, last] });
});

it('builds the same models live and in a rebuild when a local event is committed concurrently with a received one with a greater id', async () => {
  const service = shopWith([described(NoteTrace, [OrderPlaced])], postgres({ url: database.url })).start();
  const lens = service.lens(NoteTrace);
  const received = idAhead(1_000);
  const elsewhere = await begun();
  await elsewhere.query('INSERT INTO svc_inbox (id) VALUES ($1)', [received]);
  await elsewhere.query(
    `INSERT INTO svc_events (id, stream_id, position, type, body, timestamp, correlation_id, metadata)
     VALUES ($1, $2, 0, 'shop.OrderPlaced', '{"note":"race"}', now(), $1, '{"origin":"elsewhere"}')`,
    [received, newId()],
  );
  // Its snapshot is older than the commit of the received event, so it cannot depend on it.
  const local = await append(service, newId(), 'race');
  const late = newId();
  expect([late, received, local].toSorted()).toEqual([local, late, received]);
  await elsewhere.query('COMMIT');
  await expect.poll(() => lens.find('race'), { timeout: 10_000 }).toEqual({ ids: [received, local] });

  // What is appended from now on may depend on it, and has a greater id.
  const stream = newId();
  await append(service, stream, 'race');
  const [next] = await collect(service.eventStore.readStream(stream));
  expect(next!.envelope.id > received).toBe(true);
  // An event of a third database, between the two by its id: the model is rewound.
  await append(service, newId(), 'race', late);
  await service.idle();
  const live = await lens.find('race');
  expect(live!.ids.toSorted()).toEqual([local, late, received, next!.envelope.id]);
  await service.rebuildPerspective(NoteTrace);
  expect(await lens.find('race')).toEqual(live);
});
