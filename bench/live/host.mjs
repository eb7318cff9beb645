/** A host with live queries: `node host.mjs <database>`. It appends events when asked, reports its memory, and ends with its parent. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createService, perspective } from '@svc/core';
import { wrap } from '@svc/core/testing';
import { serve } from '@svc/http';
import { postgres } from '@svc/postgres';
import { Changed, messages, now } from './changed.mjs';

process.on('disconnect', () => process.exit(1));
const [, , database = ''] = process.argv;

class Counters {
  /** @param {{ n: number } | null} model @param {Changed} event */
  apply(model, { at }) {
    return { n: (model?.n ?? 0) + 1, at };
  }
}
perspective({ route: '/counters' })(Counters);

const service = createService({
  messages,
  receptors: [],
  endpoints: [],
  perspectives: [
    {
      name: 'Counters',
      class: Counters,
      events: [Changed],
      readModel: (value) => /** @type {object} */ (value),
      writeModel: (value) => JSON.stringify(value),
      create: () => new Counters(),
    },
  ],
  openapi: { paths: {}, components: { schemas: {} } },
})
  .useStorage(postgres({ url: database }))
  .addServicePerspectives();
const host = await serve(service, { port: 0, live: { perHost: 20_000, perCaller: 20_000, heartbeatMs: 60_000 } });

/** Appends an event to each stream in turn. @param {{ streams: readonly import('@svc/core').Uuid[], count: number, perSecond: number }} changes */
async function change({ streams, count, perSecond }) {
  const started = performance.now();
  /** @type {Promise<void>[]} */
  const appending = [];
  for (let n = 0; n < count; n++) {
    await sleep(Math.max(0, started + (n * 1_000) / perSecond - performance.now()));
    const streamId = /** @type {import('@svc/core').Uuid} */ (streams[n % streams.length]);
    const event = Object.assign(new Changed(), { at: now() });
    appending.push(Promise.resolve(service.eventStore.append(streamId, wrap('live.Changed', event, { streamId }))));
  }
  await Promise.all(appending);
  process.send?.({ kind: 'changed' });
}

process.on('message', (/** @type {'memory' | Parameters<typeof change>[0]} */ asked) => {
  if (asked !== 'memory') return void change(asked);
  globalThis.gc?.();
  process.send?.({ kind: 'memory', watches: service.watches, rss: process.memoryUsage().rss });
});
process.send?.({ kind: 'listening', port: Number(new URL(host.url).port) });
