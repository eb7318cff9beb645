import { openSqlite } from '../lib/sqlite-engine.mjs';
import * as rows from './rows.mjs';

const ordersPerStatement = 50_000;

/** @type {rows.Dialect} */
const dialect = {
  hex: (value, width) => `printf('%0${width}x', ${value})`,
  id: (text) => text,
  json: (text) => text,
  timestamp: (ms) => ms,
};

/**
 * Fills the empty tables of a service. The triggers that protect the log are created again afterwards: they search it before each row.
 *
 * @param {string} file
 * @param {rows.Plan} plan
 */
export function fillSqlite(file, { orders, startMs }) {
  const database = openSqlite(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
  const triggers = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'svc_events'")
    .all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
  /** @param {string} into @param {string} values @param {string} [rest] */
  const insert = (into, values, rest = '') => {
    for (let first = 0; first < orders; first += ordersPerStatement) {
      const end = Math.min(first + ordersPerStatement, orders);
      database.exec(`
        INSERT INTO ${into}
        WITH RECURSIVE numbers (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${end})
        SELECT ${values} FROM ${rows.ordersFrom(dialect, startMs, 'numbers')} ${rest}`);
    }
  };
  database.exec('CREATE TEMP TABLE contents (number INTEGER PRIMARY KEY, content TEXT)');
  const add = database.prepare('INSERT INTO contents VALUES (?, ?)');
  for (const [number, content] of rows.contents.entries()) add.run(number, content);
  const steps = Array.from({ length: rows.eventsPerOrder }, (_, k) => `(${k})`).join(', ');
  database.exec(`CREATE TEMP TABLE steps (k INTEGER PRIMARY KEY); INSERT INTO steps VALUES ${steps}`);
  insert(
    `svc_events (${rows.eventColumns})`,
    rows.eventValues(dialect, startMs),
    `CROSS JOIN contents ON number = n % ${rows.contents.length} CROSS JOIN steps`,
  );
  insert(`svc_perspective_orders (${rows.orderColumns})`, rows.orderValues(dialect, startMs));
  insert(
    `svc_perspective_customers (${rows.customerColumns})`,
    rows.customerValues(dialect),
    `WHERE ${rows.isLastOfCustomer}`,
  );
  insert(`svc_sources_customers (${rows.sourceColumns})`, rows.sourceValues(dialect));
  database.prepare('UPDATE svc_perspectives SET sequence = ?').run(orders * rows.eventsPerOrder - 1);
  for (const { sql } of triggers) database.exec(String(sql));
  database.exec('ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
