/**
 * A host in a process of its own, with a clock of its own: `node skewed-host.mjs <database as JSON> <skew in ms>`. It does what messages of its parent
 * ask for, and answers each.
 */
import { newId, runAsHost } from '@svc/core';
import { CommandRequest } from '@svc/core/hosting';
import { postgres } from '@svc/postgres';
import { rabbitMqTransport } from '@svc/rabbitmq';
import { sqlite } from '@svc/sqlite';
import { ledgerService, Ledgers, Record, Streams } from './ledger-service.mjs';
import { setSkew } from './skewed-clock.mjs';

const [, , database, skew] = process.argv;
const { kind, where, broker = null } = JSON.parse(database);
setSkew(Number(skew));

/** While the network is cut, nothing is published: what would be waits for this. */
let connected = Promise.resolve();
let connect = null;

const storage =
  kind === 'postgres'
    ? postgres({ url: where, pollMs: 100, leaseMs: 500 })
    : sqlite({ file: where, pollMs: 100, leaseMs: 500 });
const prepared = ledgerService(storage);
if (broker !== null) connectTo(broker);
const service = prepared.start();
await service.ready();

function connectTo({ url, prefix, hostName, hostNames, aheadMs }) {
  const users = Object.fromEntries(hostNames.map((name) => [name, new URL(url).username]));
  const transport = rabbitMqTransport({ url, prefix, hostName, users });
  const publish = transport.publish.bind(transport);
  transport.publish = async (messages) => {
    await connected;
    await publish(messages);
  };
  prepared
    .useTransport(transport)
    .acceptEvents({ from: hostNames, namespaces: ['ledger'] })
    .acceptClocksAhead(aheadMs);
}

const lenses = { Streams, Ledgers };
const labelsIn = async (perspective, key) => (await service.lens(lenses[perspective]).find(key))?.labels ?? [];

/** @type {Record<string, (...args: any[]) => unknown>} */
const actions = {
  setSkew: (ms) => setSkew(ms),
  newId: () => newId(),
  cut() {
    if (connect === null) connected = new Promise((resolve) => (connect = resolve));
  },
  connect() {
    connect?.();
    connect = null;
  },
  /** Appends an event to a stream, after it has waited for one and read models and streams. */
  async record({ streamId, ledger, label, reads = [], models = [], after = null }) {
    if (after !== null) await service.lens(Ledgers).waitFor(after.id);
    const found = [];
    for (const [perspective, key] of models) found.push(await labelsIn(perspective, key));
    const seen = [...(after === null ? [] : [after.label]), ...found.flat()];
    const signal = new CommandRequest();
    await service.dispatcher.invoke(Object.assign(new Record(), { streamId, ledger, label, reads, seen }), { signal });
    return { id: signal.lastEventId, models: found };
  },
  labels: labelsIn,
  /** The same, read past the service: the host does not take note of it. */
  async storedLabels(perspective, key) {
    const [model] = await storage.perspectives.findModels(perspective, key, 1);
    return model === undefined ? [] : JSON.parse(model.body).labels;
  },
  idle: () => service.idle(),
  async rebuild(options) {
    for (const perspective of [Streams, Ledgers]) await service.rebuildPerspective(perspective, options);
  },
  async health() {
    const { entries } = await service.health.run();
    return Object.fromEntries(entries.map((entry) => [entry.name, entry]));
  },
  /** What the log has behind a place, in its order. Read past the service, too. */
  async log(afterSequence) {
    const found = [];
    for await (const { sequence, streamId, position, id, type, body, metadata } of storage.readAll(afterSequence)) {
      const { label, ledger, seen, triggeringEventId, cause } = JSON.parse(body);
      const isReceived = metadata.origin !== undefined;
      found.push({ sequence, streamId, position, id, type, isReceived, label, ledger, seen, triggeringEventId, cause });
    }
    return found;
  },
};

process.on('message', (message) => void answer(message));

async function answer({ number, action, args }) {
  try {
    const result = await runAsHost(() => actions[action](...args));
    process.send({ number, result });
  } catch (error) {
    process.send({ number, error: String(error?.stack ?? error) });
  }
}

process.send({ ready: true });
