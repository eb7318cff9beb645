import {
  getPostgreSQLEventStore,
  pongoSingleStreamProjection,
  rebuildPostgreSQLProjections,
} from '@event-driven-io/emmett-postgresql';
import pg from 'pg';
import { bodies } from '../lib/order-models.mjs';

const collectionName = 'order_counts';

/** Emmett's own rebuild with its defaults. @param {string} url @param {number} events @param {number} streams */
export async function rebuildWithEmmett(url, events, streams) {
  const store = getPostgreSQLEventStore(url);
  await store.schema.migrate();
  const perStream = Math.ceil(events / streams);
  let stored = 0;
  for (let stream = 0; stream < streams; stream++) {
    const count = Math.min(perStream, events - stored);
    const placed = Array.from({ length: count }, (_, i) => ({
      type: 'OrderPlaced',
      data: JSON.parse(bodies[(stored + i) % bodies.length] ?? '{}'),
    }));
    await store.appendToStream(`order-${stream}`, placed);
    stored += count;
  }
  const projection = pongoSingleStreamProjection({
    collectionName,
    canHandle: ['OrderPlaced'],
    evolve: (/** @type {any} */ document) => ({ ...document, orders: (document?.orders ?? 0) + 1 }),
    initialState: () => ({ orders: 0 }),
  });
  const started = performance.now();
  const consumer = rebuildPostgreSQLProjections({ connectionString: url, projection });
  await consumer.start();
  const ms = performance.now() - started;
  await consumer.close();
  await store.close();
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(`SELECT sum((data->>'orders')::int)::int AS made FROM ${collectionName}`);
  await client.end();
  return { ms, made: rows[0].made, expected: events };
}
