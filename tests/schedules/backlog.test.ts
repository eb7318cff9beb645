import { newId } from '@svc/core';
import { commitRecord } from '@svc/core/testing';
import { expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { act, Reminded, startReminders } from './reminders.js';

/** `SVC_TEST_BACKLOG=100000` for a long run, which prints how long requests take. */
const count = Number(process.env['SVC_TEST_BACKLOG'] ?? 600);
const isLong = count > 600;

describeStores((stores, name) => {
  it(`answers requests while ${count} commands are due at once`, async () => {
    const storage = (await stores.fresh())();
    await storage.open();
    for (let done = 0; done < count; done += 1_000) {
      const added = Array.from({ length: Math.min(1_000, count - done) }, () => {
        const id = newId();
        const message = { id, type: 'reminders.Remind', body: '{"text":""}', timestamp: 0, correlationId: id };
        return { message: { ...message, causationId: null, scope: null, metadata: {} }, key: null, due: { at: 0 } };
      });
      await storage.commit(commitRecord({ schedules: { settled: null, cancelled: [], added } }));
    }
    let ran = 0;
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const started = performance.now();
    const service = await startReminders(storage, {
      scripts: { request: (context) => context.append(newId(), new Reminded()) },
      remind: (command, context) => {
        ran++;
        begin();
        context.append(newId(), Object.assign(new Reminded(), command));
      },
    });
    await begun;
    const latencies: number[] = [];
    do {
      const from = performance.now();
      await act(service, 'request');
      latencies.push(performance.now() - from);
      // A caller waits for the network.
      await new Promise((resolve) => setImmediate(resolve));
    } while (isLong ? ran < count : latencies.length < 5);
    const ranBefore = ran;
    await service.idle();
    expect(ran).toBe(count);
    expect(await storage.schedule!.read(1)).toEqual([]);
    expect(ranBefore, 'requests need not wait for the backlog').toBeLessThan(isLong ? count + 1 : count);
    if (!isLong) return;
    const sorted = latencies.toSorted((a, b) => a - b);
    const at = (share: number): string => sorted[Math.floor(sorted.length * share)]!.toFixed(1);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const { heapUsed } = process.memoryUsage();
    console.log(
      `${name}: ${count} in ${seconds} s, ${latencies.length} requests, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(0.9999)} ms, heap ${Math.round(heapUsed / 1e6)} MB`,
    );
  }, 600_000);
});
