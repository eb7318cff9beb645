/** One subject in a separate process: commands until their audit records are in the system stream. */
import { InMemoryStorage, SystemEventStream, ValidationError } from '@svc/core';
import { CommandRequest } from '@svc/core/hosting';
import { Issues, parseJson } from '@svc/core/json';
import { CreateOrder, createOrders } from '../http/svc/dist/index.js';
import { makeOrders } from '../lib/orders.mjs';
import { subjects } from './subjects.mjs';

/** @typedef {import('@svc/core').Service} Service */

const inFlight = 64;

const [, , name = '', way, slices, commandsPerSlice] = process.argv;
const { configure, records } = subjects[name] ?? { configure: null, records: 0 };
const orders = makeOrders(inFlight);
const bodies = orders.map((order) => JSON.stringify(order));

process.once('disconnect', () => process.exit());

const rates = [];
for (let slice = 0; slice < Number(slices); slice++) rates.push(await measure(Number(commandsPerSlice)));
// The first slices are the warm-up.
process.send?.({ kind: 'measured', rates: rates.slice(Math.floor(rates.length / 3)) });

/** Uses a new service each time, so that earlier commands do not count. @param {number} count */
async function measure(count) {
  const service = createOrders().addService().useStorage(new InMemoryStorage());
  if (configure !== null) service.addSystemEventAuditing(configure);
  service.start();
  const send = way === 'request' ? requests(service) : commands(service);
  const started = performance.now();
  await Promise.all(orders.map((_, i) => sendMany(() => send(i), count / inFlight)));
  await service.idle();
  const seconds = (performance.now() - started) / 1000;
  await check(service, count * records);
  return count / seconds;
}

/** The work of a transport: from the text of a request to the text of its response. @param {Service} service */
function requests(service) {
  const { endpoint, readRequest, writeResult } = /** @type {import('@svc/core/hosting').ReadyEndpoint} */ (
    service.endpoints[0]
  );
  return async (/** @type {number} */ i) => {
    const body = parseJson(bodies[i] ?? '');
    const issues = new Issues(body);
    const request = readRequest(body, issues);
    if (issues.count > 0) throw new ValidationError(issues.list);
    return writeResult(await endpoint.handle(request, new CommandRequest()));
  };
}

/** The dispatcher alone. @param {Service} service */
function commands(service) {
  return (/** @type {number} */ i) => service.dispatcher.invoke(Object.assign(new CreateOrder(), orders[i]));
}

/**
 * @param {() => Promise<unknown>} send
 * @param {number} count
 */
async function sendMany(send, count) {
  for (let i = 0; i < count; i++) {
    await send();
    // As a server does between requests; a tight loop would prevent the delivery of the outbox.
    if (i % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Checks that every record is stored exactly once. @param {Service} service @param {number} expected */
async function check(service, expected) {
  const stored = (await service.eventStore.lastPosition(SystemEventStream.streamId)) + 1;
  if (stored !== expected) throw new Error(`${name} stored ${stored} records of ${expected}.`);
}
