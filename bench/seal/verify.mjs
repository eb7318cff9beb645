/** Verifies a log of many events in a separate process: `node verify.mjs <subject> <database>`, the number of events by message. */
import { generateKeyPairSync } from 'node:crypto';
import { createService } from '@svc/core';
import { folderArchive } from '@svc/core/storage';
import { around, exportLog, sealedLogOf, verifyExport, verifySeals } from '@svc/core/hosting';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { nextEvent } from '../append/events.mjs';

process.on('disconnect', () => process.exit(1));

const [, , name = '', target = ''] = process.argv;
const isExport = name.includes('export');
const perCommit = 1_000;

process.once('message', (/** @type {{ events: number }} */ { events }) => void measure(events));

/** @param {number} events */
async function measure(events) {
  const storage = name.includes('pg')
    ? postgres({ url: target })
    : sqlite({ file: isExport ? `${target}.db` : target });
  await storage.open();
  for (let i = 0; i < events; i += perCommit) {
    const records = Array.from({ length: perCommit }, nextEvent);
    await storage.commit({ events: records, outgoing: [], delivered: null, received: [] });
  }
  await seal(storage, events);
  const log = isExport ? null : sealedLogOf(storage);
  const store = folderArchive(target);
  if (log === null) await exportLog(storage, store);
  const started = performance.now();
  const cpu = process.cpuUsage();
  const result = log === null ? await verifyExport(store) : await verifySeals(log);
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  if (result.finding !== null || result.events < events) throw new Error(`${name}: ${JSON.stringify(result)}`);
  process.send?.({ kind: 'measured', rate: result.events / seconds, cpuUs: (user + system) / result.events });
}

/** @param {import('@svc/core/storage').Storage} storage @param {number} events */
async function seal(storage, events) {
  const service = createService({
    messages: [],
    receptors: [],
    endpoints: [],
    openapi: { paths: {}, components: { schemas: {} } },
  })
    .useStorage(around(storage, { close: async () => {} }))
    .addSystemEvents()
    .addSeals({ keys: [generateKeyPairSync('ed25519').privateKey], everyMs: 20 })
    .start();
  await service.ready();
  while (((await storage.seals?.readLast())?.size ?? 0) < events) await new Promise((done) => setTimeout(done, 50));
  await service.stop();
}
