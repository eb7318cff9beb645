/**
 * A log of any size, written by SQL. Action n is a command with one event: three rows, the event and the two audit records. Ten actions in a
 * row are those of one order; 10,000 users of 100 tenants take turns.
 */
import { SystemEventStream } from '@svc/core';
import pg from 'pg';
import { openSqlite } from '../lib/sqlite-engine.mjs';

export const rowsPerAction = 3;
export const actionsPerOrder = 10;
export const users = 10_000;
const msPerAction = 50;
const perStatement = 50_000;

/** What a database writes differently. @typedef {{ hex: (value: string, width: number) => string, id: (text: string) => string, json: (text: string) => string, time: (ms: string) => string }} Dialect */
/** @typedef {{ actions: number, startMs: number }} Plan */

const columns =
  'sequence, id, stream_id, position, type, body, timestamp, correlation_id, causation_id, scope, metadata';

/** The id of kind `kind` with number `n`, of version 7. @param {Dialect} dialect @param {string} n @param {number} kind @param {number} startMs */
function idOf({ hex, id }, n, kind, startMs) {
  const ms = `(${startMs} + (${n}) * ${msPerAction})`;
  const time = hex(ms, 12);
  return id(`(substr(${time}, 1, 8) || '-' || substr(${time}, 9, 4) || '-7${kind}00-8000-' || ${hex(n, 12)})`);
}

/** The values of row `k` of action `n`. @param {Dialect} dialect @param {number} startMs */
function valuesOf(dialect, startMs) {
  const of = (/** @type {number} */ kind) => idOf(dialect, 'n', kind, startMs);
  const user = `(n * 7919 % ${users})`;
  const scope = `'{"tenantId":"tenant-' || (${user} % 100) || '","userId":"user-' || ${user} || '","userName":"Ann Lee","roles":"clerk","source":"jwt"}'`;
  const order = `'{"quantity":' || (n % 7) || ',"reason":"The customer called."}'`;
  const command = `'{"id":"' || ${of(3)} || '","commandType":"orders.ChangeOrder","commandBody":' || ${order} || ',"auditLevel":0,"receptorName":"ChangeOrderReceptor"}'`;
  return `
    n * ${rowsPerAction} + k,
    CASE k WHEN 0 THEN ${of(1)} WHEN 1 THEN ${of(2)} ELSE ${of(3)} END,
    CASE k WHEN 0 THEN ${idOf(dialect, `n / ${actionsPerOrder}`, 0, startMs)} ELSE ${dialect.id(`'${SystemEventStream.streamId}'`)} END,
    CASE k WHEN 0 THEN n % ${actionsPerOrder} ELSE n * 2 + k - 1 END,
    CASE k WHEN 0 THEN 'orders.OrderChanged' WHEN 1 THEN 'svc.EventAudited' ELSE 'svc.CommandAudited' END,
    ${dialect.json(`CASE k WHEN 0 THEN ${order} WHEN 1 THEN 'null' ELSE ${command} END`)},
    ${dialect.time(`${startMs} + n * ${msPerAction}`)},
    ${of(4)},
    CASE k WHEN 1 THEN ${of(1)} ELSE ${of(5)} END,
    ${dialect.json(`CASE k WHEN 1 THEN NULL ELSE ${scope} END`)},
    ${dialect.json(`CASE k WHEN 1 THEN '{"auditLevel":0}' ELSE '{}' END`)}`;
}

/** The stream of an order. @param {number} order @param {number} startMs */
export function orderId(order, startMs) {
  return idText(order, 0, startMs);
}

/** The correlation id of an action. @param {number} action @param {number} startMs */
export function correlationId(action, startMs) {
  return idText(action, 4, startMs);
}

/** As `idOf`. @param {number} n @param {number} kind @param {number} startMs */
function idText(n, kind, startMs) {
  const time = timeOf(n, startMs).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${kind}00-8000-${n.toString(16).padStart(12, '0')}`;
}

/** The time of an action. @param {number} action @param {number} startMs */
export function timeOf(action, startMs) {
  return startMs + action * msPerAction;
}

/** @type {Dialect} */
const postgresDialect = {
  hex: (value, width) => `lpad(to_hex((${value})::bigint), ${width}, '0')`,
  id: (text) => `${text}::uuid`,
  json: (text) => `(${text})::json`,
  time: (ms) => `to_timestamp((${ms}) / 1000.0)`,
};

/** Fills the empty log of a service. @param {string} url @param {Plan} plan */
export async function fillPostgres(url, { actions, startMs }) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '512MB'; SET jit = off");
  const { rows } = await client.query(`
    SELECT relname AS name, pg_get_indexdef(indexrelid) AS make FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = 'svc_events'::regclass AND relname LIKE 'svc_events_audit_%'`);
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  for (let first = 0; first < actions; first += perStatement) {
    const last = Math.min(first + perStatement, actions) - 1;
    await client.query(`
      INSERT INTO svc_events (transaction_id, ${columns})
      SELECT svc_transaction_id(pg_current_xact_id()), ${valuesOf(postgresDialect, startMs)}
      FROM generate_series(${first}::bigint, ${last}) AS n, generate_series(0, ${rowsPerAction - 1}) AS k ORDER BY n, k`);
  }
  for (const { make } of rows) await client.query(make);
  await client.query(`SELECT setval('svc_events_sequence', ${actions * rowsPerAction})`);
  await client.query('ANALYZE');
  await client.query('CHECKPOINT');
  await client.end();
}

/** @type {Dialect} */
const sqliteDialect = {
  hex: (value, width) => `printf('%0${width}x', ${value})`,
  id: (text) => text,
  json: (text) => text,
  time: (ms) => ms,
};

/** Fills the empty log of a service. @param {string} file @param {Plan} plan */
export function fillSqlite(file, { actions, startMs }) {
  const database = openSqlite(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
  const trigger = database
    .prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = 'svc_events_are_not_replaced'")
    .get();
  database.exec('DROP TRIGGER svc_events_are_not_replaced');
  for (let first = 0; first < actions; first += perStatement) {
    const end = Math.min(first + perStatement, actions);
    database.exec(`
      INSERT INTO svc_events (${columns})
      WITH RECURSIVE numbers (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${end}),
        steps (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM steps WHERE k + 1 < ${rowsPerAction})
      SELECT ${valuesOf(sqliteDialect, startMs)} FROM numbers CROSS JOIN steps`);
  }
  database.exec(String(trigger?.['sql']));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
