/** Without a service: its timers would run at the speed of this test. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { createClient, live, orders } from '../../examples/orders/src/client/generated/orders-client.js';

it('connects again after 45 seconds without a byte', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const signals: (AbortSignal | null | undefined)[] = [];
  const silent: typeof fetch = (_url, init) => {
    signals.push(init?.signal);
    return Promise.resolve(new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } }));
  };
  const watch = createClient({ url: 'http://127.0.0.1', fetch: silent }, { orders: live(orders) }).orders.watch(
    {},
    () => {},
  );
  await vi.advanceTimersByTimeAsync(44_000);
  expect(signals).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
  watch.stop();
  await watch.ended;
  expect(signals[1]?.aborted).toBe(true);
});
