import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RequestTimes } from './request-times.js';
import { RuntimeSocket } from './runtime-socket.js';

afterEach(() => {
  vi.useRealTimers();
});

describe('the times of requests', () => {
  it('are null without an error while HAProxy is unreachable, and are requested again until closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const socket = new RuntimeSocket('/nowhere/haproxy.sock');
    const open = vi.spyOn(socket, 'open');
    const closed = (i: number): Promise<unknown> =>
      new Promise((resolve) => (open.mock.results[i]!.value as Socket).once('close', resolve));
    const times = new RequestTimes(socket, 'orders');
    await closed(0);
    vi.runOnlyPendingTimers();
    expect(open).toHaveBeenCalledTimes(2);
    expect(times.p99).toEqual({ blue: null, green: null });
    times.close();
    await closed(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
