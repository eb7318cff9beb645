/** Blue-green on a real HAProxy with examples/orders under constant load. */
import { afterEach, describe, expect, it } from 'vitest';
import { Rig } from './rig.js';
import { waitFor } from './wait-for.js';

let rig: Rig;
afterEach(() => rig.stop());

async function start(instances: number): Promise<void> {
  rig = await Rig.start({ blue: instances, green: instances });
  await rig.must('install', '--environment', 'blue', '--version', 'v1');
}

const quick = ['--watch-time', '400ms', '--poll', '50ms'];

describe('svc deploy blue-green', { timeout: 90_000 }, () => {
  it('switches, keeps the old environment scaled down, and rolls back, all with 0 failures', async () => {
    await start(2);
    // Nothing is ready there yet, so nothing is sent there.
    await expect(rig.platform.switchFront('green')).rejects.toThrow(
      'green should get 100 % and has no instance that is ready.',
    );
    expect(await rig.platform.front()).toBe('blue');

    const load = rig.load();
    const there = await rig.must('blue-green', '--version', 'v2', ...quick);
    expect(there).toContain('green has all traffic');
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v1', wanted: 1, ready: 1 });
    const before = load.answers.get('v1') ?? 0;
    await waitFor(() => load.requests > 300, 'load on the new version');
    expect(load.answers.get('v1')).toBe(before);

    const back = await rig.must('rollback', '--poll', '50ms');
    expect(back).toContain('blue: switched\nblue: scaled-up\nblue has all traffic again.');
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v1', wanted: 2, ready: 2 });
    const answered = load.answers.get('v1') ?? 0;
    await waitFor(() => (load.answers.get('v1') ?? 0) > answered + 20, 'the old version answers again');
    await load.stop();
    expect(load.failures).toEqual([]);
  });

  it('switches back by itself when the new version fails', async () => {
    await start(1);
    const load = rig.load();
    const { code, out } = await rig.svc('blue-green', '--version', 'bad-2', '--watch-time', '20s', '--poll', '50ms');
    await load.stop();
    expect(code).toBe(3);
    expect(out).toMatch(/Switched back to blue: [\d.]+ % of \d+ requests failed\./);
    expect(await rig.platform.front()).toBe('blue');
    expect(load.failures.filter((failure) => failure !== '500 from bad-2')).toEqual([]);
  });

  it('switches back when the verification fails', async () => {
    await start(1);
    rig.configure({ checks: { post: { url: `http://127.0.0.1:${rig.port}`, health: '/health/unknown' } } });
    const { code, out } = await rig.svc('blue-green', '--version', 'v2', '--watch-time', '0ms', '--poll', '50ms');
    expect({ code, front: await rig.platform.front() }).toEqual({ code: 3, front: 'blue' });
    expect(out).toContain('Switched back to blue: health endpoint: /health/unknown answers 404.');
  });

  it('keeps the switch when HAProxy is restarted', async () => {
    await start(1);
    await rig.must('blue-green', '--version', 'v2', '--watch-time', '0ms', '--poll', '50ms');
    await rig.stopHaproxy();
    await rig.startHaproxy();
    expect(await rig.platform.front()).toBe('green');
    await waitFor(async () => (await rig.platform.status('green')).ready === 1, 'green is seen again');
  });
});
