/**
 * A BlueGreen rebuild while others write and read: no read fails, no event is lost, and the swap takes milliseconds.
 * `SVC_TEST_REBUILD_EVENTS=200000` for a long run.
 */
import { newId, type Service, type Uuid } from '@svc/core';
import { type PerspectiveStorage } from '@svc/core/storage';
import { expect, it } from 'vitest';
import { OrderPlaced } from '../system-events/shop.js';
import { append, appendAll, described, ids, OrderTrace, shopWith } from './perspective-shop.js';
import { describeStores, type DurableStorage } from './storages.js';

const events = Number(process.env['SVC_TEST_REBUILD_EVENTS'] ?? 1_500);
const eventsPerStream = 20;
const limitMs = 60_000 + events * 5;

/** Takes the time of the swap. */
function timed(storage: DurableStorage, swaps: number[]): DurableStorage {
  const perspectives = new Proxy(storage.perspectives, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'replacePerspective') return value.bind(target) as unknown;
      return async (...args: Parameters<PerspectiveStorage['replacePerspective']>) => {
        const started = performance.now();
        await target.replacePerspective(...args);
        swaps.push(performance.now() - started);
      };
    },
  });
  return new Proxy(storage, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'perspectives') return perspectives;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function filled(service: Service, streams: readonly Uuid[]): Promise<Map<Uuid, Uuid[]>> {
  const appended = new Map<Uuid, Uuid[]>(streams.map((streamId) => [streamId, []]));
  for (let from = 0; from < events; from += 1_000) {
    const batch = ids(Math.min(1_000, events - from)).map(
      (id, i) => [streams[(from + i) % streams.length]!, id] as const,
    );
    await appendAll(service, batch);
    for (const [streamId, id] of batch) appended.get(streamId)!.push(id);
  }
  return appended;
}

describeStores((stores, name) => {
  it(`rebuilds from ${events} events under concurrent writes and reads`, { timeout: limitMs }, async () => {
    const swaps: number[] = [];
    const open = await stores.fresh();
    const service = shopWith([described(OrderTrace, [OrderPlaced])], timed(open(), swaps)).start();
    const streams = ids(Math.ceil(events / eventsPerStream));
    const appended = await filled(service, streams);
    await service.idle();
    const lens = service.lens(OrderTrace);

    const done = new AbortController();
    let reads = 0;
    let writes = 0;
    const read = async (): Promise<void> => {
      for (let i = 0; !done.signal.aborted; i++, reads++) {
        const streamId = streams[(i * 7) % streams.length]!;
        // What was there when the rebuild began is there all the time.
        expect((await lens.find(streamId))!.ids.length).toBeGreaterThanOrEqual(Math.floor(events / streams.length));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    const write = async (): Promise<void> => {
      for (let i = 0; !done.signal.aborted; i++, writes++) {
        const [streamId, id] = [streams[i % streams.length]!, newId()];
        appended.get(streamId)!.push(id);
        await append(service, streamId, 'x', id);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    };
    const others = Promise.all([read(), read(), write()]);
    const result = await service.rebuildPerspective(OrderTrace).finally(() => done.abort());
    await others;
    expect(result.eventsReplayed).toBeGreaterThanOrEqual(events);
    expect([reads, writes].every((count) => count > 0)).toBe(true);
    await service.idle();
    for (const [streamId, own] of appended) expect(await lens.find(streamId)).toEqual({ ids: own.toSorted() });
    console.log(`${name}: swapped in ${swaps.at(-1)!.toFixed(1)} ms, beside ${reads} reads and ${writes} writes`);
    // Not tight: machines are busy. It does not grow with the number of events.
    expect(swaps.at(-1)).toBeLessThan(5_000);
  });
});
