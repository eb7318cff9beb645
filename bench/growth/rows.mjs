/**
 * The rows of a log of any size, as SQL for both databases. Order n has three events: `OrderPlaced` in its own stream, and two audit records
 * in the system stream. Ids are version 7 and ascend with n. Ten orders in a row have the same customer.
 */
import { SystemEventStream } from '@svc/core';
import { makeOrders } from '../lib/orders.mjs';
import { type } from './service.mjs';

export const eventsPerOrder = 3;
export const ordersPerCustomer = 10;
const msPerOrder = 50;
/** What distinguishes the ids of an order, as SQL: that of its stream, and that of its event. */
const streamCounter = "'fff'";
const eventCounter = "'000'";

/** What follows the customer in the body of an order: its items, without an address, so that the largest log takes less than 40 GB. */
export const contents = makeOrders(64).map(({ lineItems }) => `,${JSON.stringify({ lineItems }).slice(1)}`);

/**
 * How a database writes a number in hexadecimal digits, an id, JSON, and milliseconds since 1970.
 *
 * @typedef {{ hex: (value: string, width: number) => string, id: (text: string) => string, json: (text: string) => string, timestamp: (ms: string) => string }} Dialect
 */

export const eventColumns =
  'sequence, id, stream_id, position, type, body, timestamp, correlation_id, causation_id, scope, metadata';

/** How many orders to generate, and when the first one was placed. @typedef {{ orders: number, startMs: number }} Plan */

/**
 * The values of event `k` of order `n`; `content` is the rest of its body.
 *
 * @param {Dialect} dialect
 * @param {number} startMs
 */
export function eventValues(dialect, startMs) {
  const order = idOf(dialect, eventCounter);
  const own = idOf(dialect, `('00' || k)`);
  return `
    n * ${eventsPerOrder} + k,
    ${own},
    CASE k WHEN 0 THEN ${idOf(dialect, streamCounter)} ELSE '${SystemEventStream.streamId}' END,
    CASE k WHEN 0 THEN 0 ELSE n * ${eventsPerOrder - 1} + k - 1 END,
    CASE k WHEN 0 THEN '${type}' WHEN 1 THEN 'svc.EventAudited' ELSE 'svc.CommandAudited' END,
    ${dialect.json(`CASE k WHEN 0 THEN ${body} ELSE '{"id":"' || ${own} || '","originalId":"' || ${order} || '","originalBody":' || ${body} || '}' END`)},
    ${dialect.timestamp(`${startMs} + n * ${msPerOrder}`)},
    ${order},
    CASE k WHEN 0 THEN NULL ELSE ${order} END,
    NULL,
    '{}'`;
}

const body = `('{"customer":"' || n / ${ordersPerCustomer} || '"' || content)`;

const modelColumns = 'id, key, owner, body, version, last_event_id, revision';
export const orderColumns = `${modelColumns}, p_placed_at, p_status`;
export const customerColumns = modelColumns;
export const sourceColumns = 'id, stream_id, block, events, last_event_id';
const ownerSeparator = '\u001f';

/** The model of order `n`. @param {Dialect} dialect @param {number} startMs */
export function orderValues(dialect, startMs) {
  const id = idOf(dialect, streamCounter);
  const placedAt = `${startMs} + n * ${msPerOrder}`;
  return `
    ${id}, ${id}, '', '{"status":"open","placedAt":' || (${placedAt}) || ',"orders":1}', 1, ${idOf(dialect, eventCounter)}, 1,
    ${placedAt}, 'open'`;
}

/** The model of the customer of order `n`, if that is the customer's last one. @param {Dialect} dialect */
export function customerValues(dialect) {
  return `
    n / ${ordersPerCustomer} || '${ownerSeparator}', '' || n / ${ordersPerCustomer}, '', '{"orders":${ordersPerCustomer}}',
    ${ordersPerCustomer}, ${idOf(dialect, eventCounter)}, 1`;
}

export const isLastOfCustomer = `n % ${ordersPerCustomer} = ${ordersPerCustomer - 1}`;

/** The source of order `n` in the model of its customer. @param {Dialect} dialect */
export function sourceValues(dialect) {
  return `
    n / ${ordersPerCustomer} || '${ownerSeparator}', ${idOf(dialect, streamCounter)}, 0, 1, ${idOf(dialect, eventCounter)}`;
}

/**
 * The orders as rows with `n` and both ends of their ids, computed once for each.
 *
 * @param {Dialect} dialect
 * @param {number} startMs
 * @param {string} numbers rows with `n`
 */
export function ordersFrom({ hex }, startMs, numbers) {
  const time = hex(`(${startMs} + n * ${msPerOrder})`, 12);
  const random = hex(`((n * ${mixer}) % ${mixed})`, 15);
  // The limit is beyond any number of rows: without one, both databases compute the columns again for each use.
  return `
    (SELECT n, substr(time, 1, 8) || '-' || substr(time, 9) || '-7' AS head, '-8' || substr(random, 1, 3) || '-' || substr(random, 4) AS tail
      FROM (SELECT n, ${time} AS time, ${random} AS random FROM ${numbers} LIMIT ${mixed}) mixed LIMIT ${mixed}) orders`;
}

/** An id of version 7 of an order. @param {Dialect} dialect @param {string} counter SQL for three hexadecimal digits */
function idOf({ id }, counter) {
  return id(`(head || ${counter} || tail)`);
}

const mixer = 2_654_435_761;
const mixed = 4_294_967_296;

/** The stream of order `n`, as the statements name it. @param {number} startMs @param {number} n */
export function streamOf(startMs, n) {
  const time = (startMs + n * msPerOrder).toString(16).padStart(12, '0');
  const random = ((BigInt(n) * BigInt(mixer)) % BigInt(mixed)).toString(16).padStart(15, '0');
  const text = `${time.slice(0, 8)}-${time.slice(8)}-7fff-8${random.slice(0, 3)}-${random.slice(3)}`;
  return /** @type {import('@svc/core').Uuid} */ (text);
}

/** Orders whose last one is an hour old. @param {number} events @returns {Plan} */
export function planOf(events) {
  const perCustomer = eventsPerOrder * ordersPerCustomer;
  const orders = Math.round(events / perCustomer) * ordersPerCustomer;
  return { orders, startMs: Date.now() - 3_600_000 - orders * msPerOrder };
}
