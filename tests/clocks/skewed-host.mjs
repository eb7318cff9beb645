/**
 * A host in a process of its own, with a clock of its own: `node skewed-host.mjs <storage> <where> <skew in ms>`. It does what messages of its parent
 * ask for, and answers each.
 */
import { newId, RebuildMode, runAsHost } from '@svc/core';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { ledgerService, Ledgers, Record, Streams } from './ledger-service.mjs';
import { setSkew } from './skewed-clock.mjs';

const [, , kind, where, skew] = process.argv;
setSkew(Number(skew));

const storage = kind === 'postgres' ? postgres({ url: where, pollMs: 100 }) : sqlite({ file: where, pollMs: 100 });
const service = ledgerService(storage).start();
await service.ready();

/** @type {Record<string, (...args: any[]) => unknown>} */
const actions = {
  setSkew: (ms) => setSkew(ms),
  newId: () => newId(),
  /** Appends an event to a stream, after it has read others. */
  record: (streamId, ledger, label, reads = []) =>
    service.dispatcher.invoke(Object.assign(new Record(), { streamId, ledger, label, reads })),
  stream: async (id) => (await service.lens(Streams).find(id))?.labels ?? [],
  ledger: async (key) => (await service.lens(Ledgers).find(key))?.labels ?? [],
  idle: () => service.idle(),
  async rebuild() {
    for (const perspective of [Streams, Ledgers])
      await service.rebuildPerspective(perspective, { mode: RebuildMode.InPlace });
  },
  async health() {
    const { entries } = await service.health.run();
    return Object.fromEntries(entries.map((entry) => [entry.name, entry]));
  },
  /** Of all events but those of the system: what the log has, in its order. */
  async log() {
    const found = [];
    for await (const { streamId, position, envelope } of service.eventStore.readAll()) {
      const { id, type, payload } = envelope;
      found.push({ streamId, position, id, type, label: payload.label, ledger: payload.ledger });
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
