/** One round in a separate process: `node measure.mjs <database>`, the plan by message. */
import { createService, newId, SystemEventStream } from '@svc/core';
import { InProcessTransport } from '@svc/core/transport';
import { auditDestination } from '@svc/core/storage';
import { EventLog, MessageRegistry, pendingRecord } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { median } from '../lib/statistics.mjs';

process.on('disconnect', () => process.exit(1));
const [, , url = ''] = process.argv;
const { streamId } = SystemEventStream;
const type = 'branches.LoggedIn';
const users = 100;

class LoggedIn {
  user = '';
}

/** @typedef {{ logins: number, last: string }} Counted */

/** One model of the whole system stream. */
class Logins {
  /** @param {Counted | null} model @param {LoggedIn} _event @param {import('@svc/core').AppliedEvent} context @returns {Counted} */
  apply(model, _event, { id }) {
    return { logins: (model?.logins ?? 0) + 1, last: id };
  }
}

/** A model for each user. */
class UserLogins extends Logins {
  /** @param {LoggedIn} event */
  keyOf({ user }) {
    return user;
  }
}

/** @type {import('@svc/core/testing').MessageDescriptor} */
const loggedIn = {
  type,
  kind: 'systemEvent',
  class: LoggedIn,
  read: (value) => Object.assign(new LoggedIn(), value),
  write: (value) => JSON.stringify(value),
};

/** @param {new () => Logins} perspective */
const described = (perspective) => ({
  name: perspective.name,
  class: perspective,
  events: [LoggedIn],
  readModel: (/** @type {unknown} */ value) => /** @type {object} */ (value),
  writeModel: (/** @type {unknown} */ value) => JSON.stringify(value),
  create: () => new perspective(),
});

process.once('message', (/** @type {{ events: number, rewinds: number }} */ plan) => void measure(plan));

/** @param {{ events: number, rewinds: number }} plan */
async function measure({ events, rewinds }) {
  await fill(events);
  const transport = new InProcessTransport();
  const service = createService({
    messages: [loggedIn],
    receptors: [],
    endpoints: [],
    perspectives: [described(Logins), described(UserLogins)],
    openapi: { paths: {}, components: { schemas: {} } },
  })
    .useStorage(postgres({ url }))
    .useTransport(transport.host('monitor'))
    .addSystemEvents((options) => options.broadcast())
    .acceptEvents({ from: 'branch', namespaces: ['branches'] })
    .addServicePerspectives()
    .start();
  await service.ready();
  await service.idle();
  const lenses = [service.lens(Logins), service.lens(UserLogins)];
  const branch = transport.host('branch');
  /** @param {import('@svc/core').Uuid} id @param {number} n */
  const receive = async (id, n) => {
    const { metadata, scope, timestamp, correlationId, causationId, body } = record(n);
    const message = { id, type, streamId, body, metadata, scope, timestamp, correlationId, causationId };
    await branch.publish([{ ...message, destination: auditDestination, origin: 'branch' }]);
    await transport.idle();
    await Promise.all(lenses.map((lens) => lens.waitFor(id, { timeoutMs: 60_000 })));
  };
  /** @type {number[]} */
  const times = [];
  for (let i = 0; i < rewinds; i++) {
    const late = newId();
    for (let n = 0; n < 3; n++) await receive(newId(), i);
    const started = performance.now();
    await receive(late, i);
    times.push(performance.now() - started);
  }
  const model = await service.lens(Logins).find(streamId);
  if (model?.logins !== events + rewinds * 4) throw new Error(`The model has ${model?.logins} logins.`);
  await service.stop();
  process.send?.({ kind: 'measured', time: median(times) });
}

/** @param {number} n */
function record(n) {
  return pendingRecord(streamId, { type, body: JSON.stringify({ user: `user ${n % users}` }) });
}

/** Fills the system stream before the measurement. @param {number} events */
async function fill(events) {
  const storage = postgres({ url });
  await storage.open();
  const log = new EventLog(storage, new MessageRegistry([]));
  const perRecord = 500;
  for (let from = 0; from < events; from += perRecord) {
    const count = Math.min(perRecord, events - from);
    const batch = Array.from({ length: count }, (_, i) => record(from + i));
    await log.commit({ events: batch, outgoing: [], delivered: null, received: [] });
  }
  await storage.close();
}
