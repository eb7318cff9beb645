import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, expect, it } from 'vitest';
import { PlaceOrder, shop } from '../system-events/shop.js';

const published: unknown[] = [];
const listener = (message: unknown): void => void published.push(message);
afterEach(() => unsubscribe('svc.events.appended', listener));

it('the channel svc.events.appended has the ids, types and streams of appended events, and not their bodies', async () => {
  const service = shop().start();
  await service.dispatcher.invoke(new PlaceOrder());
  subscribe('svc.events.appended', listener);
  await service.dispatcher.invoke(new PlaceOrder());
  await service.stop();
  const text = expect.any(String) as string;
  expect(published).toEqual([{ events: [{ id: text, type: 'shop.OrderPlaced', streamId: text }] }]);
});
