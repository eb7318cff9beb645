import { tagged, type TaggedMessage } from '@svc/core';
import { describe, expect, it } from 'vitest';
import { collect, OrderPlaced, PayOrder, PlaceOrder, shop, systemEvents } from './shop.js';

describe('tag hooks', () => {
  it('run after the commit, for messages with their tag, with the fields', async () => {
    const seen: TaggedMessage[] = [];
    const stored: number[] = [];
    const service = shop()
      .addTagHook('orders', async (message) => {
        seen.push(message);
        stored.push((await collect(service.eventStore.readStream(message.streamId))).length);
      })
      .start();
    const command = Object.assign(new PlaceOrder(), { note: 'hello' });
    await service.dispatcher.invoke(command);
    await service.dispatcher.invoke(new PayOrder());
    await service.idle();
    expect(seen).toEqual([
      expect.objectContaining({
        tag: 'orders',
        type: 'shop.OrderPlaced',
        streamId: command.orderId,
        fields: { note: 'hello' },
      }),
    ]);
    expect(stored).toEqual([1]);
  });

  it('do not run for messages that were rolled back', async () => {
    const seen: unknown[] = [];
    const service = shop((command, context) => {
      context.append((command as PlaceOrder).orderId, new OrderPlaced());
      throw new Error('no');
    })
      .addTagHook('orders', (message) => void seen.push(message))
      .start();
    await expect(service.dispatcher.invoke(new PlaceOrder())).rejects.toThrow('no');
    await service.idle();
    expect(seen).toEqual([]);
  });

  it('that fail break neither the command nor the other hooks', async () => {
    const [reported, seen]: [unknown[], string[]] = [[], []];
    const service = shop()
      .addSystemEventAuditing()
      .addTagHook('sys-audit', () => {
        throw new Error('sync');
      })
      .addTagHook('sys-audit', () => Promise.reject(new Error('async')))
      .addTagHook('sys-audit', ({ type }) => void seen.push(type))
      .reportTo((error) => reported.push(error))
      .start();
    await expect(service.dispatcher.invoke(new PlaceOrder())).resolves.toBeDefined();
    expect(await systemEvents(service)).toHaveLength(2);
    expect(seen).toEqual(['svc.EventAudited', 'svc.CommandAudited']);
    expect(reported.map((error) => (error as Error).message)).toEqual(['sync', 'async', 'sync', 'async']);
  });

  it('have tags that start with sys- reserved', () => {
    expect(() => tagged('sys-mine')).toThrow(expect.objectContaining({ code: 'SVC_RESERVED_TAG' }));
    expect(() => shop().addTagHook('sys-unknown', () => {})).toThrow(
      expect.objectContaining({ code: 'SVC_RESERVED_TAG' }),
    );
    expect(() => shop().addTagHook('sys-audit', () => {})).not.toThrow();
  });
});
