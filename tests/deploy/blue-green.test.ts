/** Blue-green on a real HAProxy under constant load: with examples/orders on one PostgreSQL, and with instances that start quickly. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStoredOnce, expectReadable } from './ledger.js';
import type { Load } from './load.js';
import { Rig } from './rig.js';
import { SmallRig } from './small-rig.js';
import { waitFor } from './wait-for.js';

const quick = ['--watch-time', '400ms', '--poll', '50ms'];

describe('svc deploy blue-green of examples/orders', { timeout: 90_000 }, () => {
  // One pair of environments and one database for both.
  let rig: Rig;
  let traffic: Load;
  beforeAll(async () => {
    rig = await Rig.start({ blue: 2, green: 2 });
    await rig.must('install', '--environment', 'blue', '--version', 'v1');
  }, 90_000);
  afterAll(() => rig.stop());

  it('switches, scales the old environment down, and rolls back, with 0 failures', async () => {
    // Nothing is ready there yet, so nothing is sent there.
    await expect(rig.platform.switchFront('green')).rejects.toThrow(
      'green should get 100 % of the traffic but has no ready instance.',
    );
    expect(await rig.platform.front()).toBe('blue');

    traffic = rig.load();
    const there = await rig.must('blue-green', '--version', 'v2', ...quick);
    expect(there).toContain('green has all traffic');
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v1', wanted: 1, ready: 1 });
    const before = traffic.answers.get('v1') ?? 0;
    const switched = traffic.requests;
    await waitFor(() => traffic.requests > switched + 50, 'load on the new version');
    expect(traffic.answers.get('v1')).toBe(before);

    const back = await rig.must('rollback', '--poll', '50ms');
    expect(back).toContain('blue: switched\nblue: scaled-up\nblue has all traffic again.');
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v1', wanted: 2, ready: 2 });
    const answered = traffic.answers.get('v1') ?? 0;
    await waitFor(() => (traffic.answers.get('v1') ?? 0) > answered + 20, 'the old version answers again');
    await traffic.stop();
    expect(traffic.failures).toEqual([]);
  });

  it('loses nothing during the switch and back: each version shows the orders of both', async () => {
    await expectStoredOnce(rig, [traffic]);
    expect(await expectReadable(rig.addressOf('blue-1'), [traffic])).not.toContainEqual(
      expect.objectContaining({ products: 1 }),
    );
    for (const summary of await expectReadable(rig.addressOf('green-1'), [traffic])) {
      expect(summary).toMatchObject({ pieces: 2, products: 1 });
    }
  });
});

describe('svc deploy blue-green', { timeout: 90_000 }, () => {
  // One pair of environments for all: each test leaves everything with blue, but for the last.
  let rig: SmallRig;
  beforeAll(async () => {
    rig = await SmallRig.start({ blue: 2, green: 2 }, 2);
    await rig.must('install', '--environment', 'blue', '--version', 'v1');
  });
  afterAll(() => rig.stop());

  it('switches back when the new version fails, and rejects a rollback to it', async () => {
    const traffic = rig.ask();
    const args = ['--version', 'bad-2', '--instances', '1', '--watch-time', '20s', '--poll', '50ms'];
    const { code, out } = await rig.svc('blue-green', ...args);
    await traffic.stop();
    expect(code).toBe(3);
    expect(out).toMatch(/Switched back to blue: [\d.]+ % of \d+ requests failed\./);
    expect(await rig.platform.front()).toBe('blue');
    expect(traffic.failures.filter((failure) => failure !== '500 from bad-2')).toEqual([]);
    // It runs there still, and is ready: going "back" would send everything to it.
    expect(await rig.platform.status('green')).toMatchObject({ version: 'bad-2', ready: 1 });
    expect(await rig.svc('rollback')).toMatchObject({
      code: 1,
      error: expect.stringContaining('green has bad-2 that was reverted or never had all traffic.') as string,
    });
    expect(await rig.platform.front()).toBe('blue');
  });

  it('switches back when the verification fails', async () => {
    rig.configure({ checks: { post: { url: `http://127.0.0.1:${rig.port}`, health: '/health/unknown' } } });
    const args = ['--version', 'v2', '--instances', '1', '--watch-time', '0ms', '--poll', '50ms'];
    const { code, out } = await rig.svc('blue-green', ...args);
    expect({ code, front: await rig.platform.front() }).toEqual({ code: 3, front: 'blue' });
    expect(out).toContain('Switched back to blue: health endpoint: /health/unknown returned 404.');
    rig.configure({ checks: {} });
  });

  it('retains the switch when HAProxy restarts, and does not stop an environment with traffic', async () => {
    const args = ['--version', 'v2', '--instances', '1', '--watch-time', '0ms', '--poll', '50ms'];
    await rig.must('blue-green', ...args);
    await rig.stopHaproxy();
    expect(await rig.svc('status')).toMatchObject({
      code: 6,
      error: expect.stringContaining('Check that HAProxy is running.') as string,
    });
    await rig.startHaproxy();
    await waitFor(async () => (await rig.platform.status('green')).ready === 1, 'green is seen again');
    expect(await rig.platform.front()).toBe('green');
    expect(await rig.svc('scale', '--environment', 'green', '--instances', '0')).toMatchObject({
      code: 1,
      error: expect.stringContaining('it has 100 % of the traffic') as string,
    });
    await rig.must('scale', '--environment', 'blue', '--instances', '0');
  });
});
