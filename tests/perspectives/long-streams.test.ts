/** What a late event costs: as much in a long stream as in a short one, and nothing for the events of other models. */
import { newId, type Uuid } from '@svc/core';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { expect, it } from 'vitest';
import { append, ids, NoteTrace, OrderTrace, shopWith, traces } from './perspective-shop.js';
import { describeStores, type DurableStorage } from './storages.js';

/** How many events of streams are read from a storage. */
function countReads(storage: DurableStorage): { count: number } {
  const reads = { count: 0 };
  for (const name of ['readStream', 'readPositions'] as const) {
    const read = storage[name].bind(storage) as (...values: unknown[]) => AsyncIterable<never>;
    storage[name] = async function* (...values: unknown[]) {
      for await (const record of read(...values)) {
        reads.count++;
        yield record;
      }
    };
  }
  return reads;
}

/** A stream with an event of a seldom note among each 500. */
async function fill(storage: DurableStorage, streamId: Uuid, length: number): Promise<void> {
  for (let from = 0; from < length; from += 500) {
    const events = Array.from({ length: 500 }, (_, i) => {
      const body = JSON.stringify({ note: i === 250 ? 'seldom' : `often ${i % 10}` });
      return pendingRecord(streamId, { type: 'shop.OrderPlaced', body });
    });
    await storage.commit(commitRecord({ events }));
  }
}

describeStores((stores) => {
  it.each([1000, 4000])(
    'system events are consumed by perspectives like domain events: a late one reads what its models need in a stream of %i events',
    async (length) => {
      const storage = (await stores.fresh())();
      const service = shopWith(traces, storage).start();
      const streamId = newId();
      await service.ready();
      await fill(storage, streamId, length);
      const late = ids(2);
      await append(service, streamId, 'seldom');
      await service.idle();
      const reads = countReads(storage);
      for (const [note, id] of [
        ['seldom', late[0]],
        ['often 1', late[1]],
      ] as const) {
        await append(service, streamId, note, id);
        await service.idle();
      }
      const seldom = await service.lens(NoteTrace).find('seldom');
      expect(seldom!.ids).toHaveLength(length / 500 + 2);
      expect(seldom!.ids.at(-2)).toBe(late[0]);
      const all = await service.lens(OrderTrace).find(streamId);
      expect(all!.ids).toHaveLength(length + 3);
      expect(all!.ids.slice(-3, -1)).toEqual(late);
      // The events of the seldom note, and what came behind the snapshots of the other models.
      expect(reads.count).toBeLessThan(30);
    },
  );
});
