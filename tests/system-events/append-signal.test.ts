/** Appending outside of commands, with a signal that ends it: on each storage. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, type Service, type Uuid } from '@svc/core';
import { wrap } from '@svc/core/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { collect, OrderPlaced, shop } from './shop.js';

describeStores((stores) => {
  let service: Service;
  beforeEach(async () => {
    service = shop()
      .useStorage((await stores.fresh())())
      .addSystemEventAuditing()
      .start();
    await service.ready();
  });
  afterEach(() => service.stop());

  const append = async (streamId: Uuid, signal: AbortSignal): Promise<void> =>
    await service.eventStore.append(streamId, wrap('shop.OrderPlaced', new OrderPlaced(), { streamId }), { signal });

  /** The events of the shop that were appended, and how many records they have in the audit. */
  async function stored(): Promise<{ streams: Uuid[]; audited: number }> {
    await service.idle();
    const all = (await collect(service.eventStore.readAll())).map(({ streamId, envelope: { type } }) => ({
      streamId,
      type,
    }));
    const streams = all.filter(({ type }) => type === 'shop.OrderPlaced').map(({ streamId }) => streamId);
    return { streams, audited: all.filter(({ type }) => type === 'svc.EventAudited').length };
  }

  it('AppendAsync takes a cancellation token: after it has aborted, nothing is appended or audited', async () => {
    const reason = new Error('The caller is gone.');
    await expect(append(newId(), AbortSignal.abort(reason))).rejects.toBe(reason);
    const open = newId();
    await append(open, new AbortController().signal);
    expect(await stored()).toEqual({ streams: [open], audited: 1 });
  });

  it('an append whose signal aborts on the way either resolves and is stored, or rejects and is not', async () => {
    const streams = Array.from({ length: 40 }, () => newId());
    const settled = await Promise.allSettled(
      streams.map(async (streamId, i) => {
        const ending = new AbortController();
        const appending = append(streamId, ending.signal);
        if (i % 2 === 0) await sleep(i / 5);
        ending.abort(new Error('The caller is gone.'));
        await appending;
      }),
    );
    const appended = streams.filter((_, i) => settled[i]!.status === 'fulfilled');
    const found = await stored();
    expect(found.streams.toSorted()).toEqual(appended.toSorted());
    expect(found.audited).toBe(appended.length);
  });
});
