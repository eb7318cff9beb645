/** The bytes that an audited order takes in the database: `node audited-bytes.mjs <URL or file>`, the number of orders by message. */
import { statSync } from 'node:fs';
import pg from 'pg';
import { placeOrder, startOrders } from '../lib/order-service.mjs';
import { openSqlite } from '../lib/sqlite-engine.mjs';

process.on('disconnect', () => process.exit(1));
const [, , target = ''] = process.argv;
const inFlight = 64;

process.once('message', (/** @type {{ orders: number }} */ { orders }) => void measure(orders));

/** @param {number} orders */
async function measure(orders) {
  const service = await startOrders(target, { follows: true });
  await service.idle();
  const before = await bytes();
  let placed = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (placed < orders) await placeOrder(service, placed++);
    }),
  );
  await service.idle();
  const after = await bytes();
  await service.stop();
  process.send?.({ kind: 'measured', bytes: (after - before) / orders });
}

/** The size of the database, without space that it can reuse. */
async function bytes() {
  if (!target.startsWith('postgres')) {
    const database = openSqlite(target);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const [free, size] = ['freelist_count', 'page_size'].map((name) =>
      Number(database.prepare(`PRAGMA ${name}`).get()?.[name]),
    );
    database.close();
    return statSync(target).size - (free ?? 0) * (size ?? 0);
  }
  const client = new pg.Client(target);
  await client.connect();
  await client.query('VACUUM');
  const { rows } = await client.query('SELECT pg_database_size(current_database()) AS bytes');
  await client.end();
  return Number(rows[0].bytes);
}
