import pg from 'pg';
import * as rows from './rows.mjs';

const ordersPerStatement = 50_000;

/** @type {rows.Dialect} */
const dialect = {
  hex: (value, width) => `lpad(to_hex((${value})::bigint), ${width}, '0')`,
  id: (text) => `${text}::uuid`,
  json: (text) => `(${text})::json`,
  timestamp: (ms) => `to_timestamp((${ms}) / 1000.0)`,
};

/**
 * Fills the empty tables of a service. The indexes are created afterwards, which takes a fraction of the time. Ids ascend, so appends would
 * build the same indexes.
 *
 * @param {string} url
 * @param {rows.Plan} plan
 */
export async function fillPostgres(url, { orders, startMs }) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    "SET synchronous_commit = off; SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'; SET jit = off",
  );
  const indexes = await dropIndexes(client);
  /** @param {string} into @param {string} values @param {string} [rest] */
  const insert = async (into, values, rest = '') => {
    for (let first = 0; first < orders; first += ordersPerStatement) {
      const numbers = `generate_series(${first}::bigint, ${Math.min(first + ordersPerStatement, orders) - 1}) AS n`;
      await client.query(
        `INSERT INTO ${into} SELECT ${values} FROM ${rows.ordersFrom(dialect, startMs, numbers)} ${rest}`,
      );
    }
  };
  const contents = rows.contents.map((content, number) => `(${number}, '${content}')`).join(', ');
  await client.query(`CREATE TEMP TABLE contents AS SELECT * FROM (VALUES ${contents}) AS one (number, content)`);
  await insert(
    `svc_events (transaction_id, ${rows.eventColumns})`,
    `svc_transaction_id(pg_current_xact_id()), ${rows.eventValues(dialect, startMs)}`,
    `JOIN contents ON number = n % ${rows.contents.length}, generate_series(0, ${rows.eventsPerOrder - 1}) AS k ORDER BY n, k`,
  );
  await insert(`svc_perspective_orders (${rows.orderColumns})`, rows.orderValues(dialect, startMs));
  await insert(
    `svc_perspective_customers (${rows.customerColumns})`,
    rows.customerValues(dialect),
    `WHERE ${rows.isLastOfCustomer}`,
  );
  await insert(`svc_sources_customers (${rows.sourceColumns})`, rows.sourceValues(dialect));
  for (const statement of indexes) await client.query(statement);
  const last = orders * rows.eventsPerOrder - 1;
  await client.query(`SELECT setval('svc_events_sequence', ${last})`);
  await client.query(`UPDATE svc_perspectives SET sequence = ${last}`);
  // A vacuum would write the whole log once more; the server has none that starts by itself.
  await client.query('ANALYZE');
  await client.query('CHECKPOINT');
  await client.end();
}

/** Drops the constraints and indexes of the tables to fill, and returns the statements that create them. @param {pg.Client} client */
async function dropIndexes(client) {
  const { rows: found } = await client.query(`
    SELECT drop, make FROM (
      SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
        format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make, conrelid AS relation
      FROM pg_constraint WHERE contype IN ('p', 'u')
      UNION ALL
      SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid), indrelid
      FROM pg_index WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
    ) one
    WHERE relation IN (${['svc_events', 'svc_perspective_orders', 'svc_perspective_customers', 'svc_sources_customers']
      .map((name) => `'${name}'::regclass`)
      .join(', ')})`);
  for (const { drop } of found) await client.query(drop);
  return found.map(({ make }) => make);
}
