/** Rolling update, recreate and drain on a real HAProxy under constant load: with instances that start quickly, and with examples/orders on one PostgreSQL. */
import type { ReplacementProgress } from '@svc/deploy';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { expectStoredOnce, expectReadable } from './ledger.js';
import { isRunning } from './haproxy-rig.js';
import { Rig } from './rig.js';
import { SmallRig } from './small-rig.js';
import { waitFor } from './wait-for.js';

const progressOf = (out: string): ReplacementProgress[] =>
  out
    .split('\n')
    .map((line) => JSON.parse(line) as ReplacementProgress & { kind: string })
    .filter(({ kind }) => kind === 'progress');

describe('svc deploy rolling', { timeout: 120_000 }, () => {
  it('replaces 4 processes with 0 failures, at most 1 unavailable and at most 2 extra, and rolls back', async () => {
    const rig = await SmallRig.start({ blue: 6, green: 0 }, 4);
    onTestFinished(() => rig.stop());
    await rig.must('install', '--environment', 'blue', '--version', 'v1');
    const load = rig.ask();
    const progress = progressOf(await rig.must('rolling', '--version', 'v2', '--json'));
    expect(progress.at(-1)).toEqual({ kind: 'progress', wanted: 4, updated: 4, available: 4, total: 4 });
    for (const { available, total } of progress) {
      expect(available).toBeGreaterThanOrEqual(3);
      expect(total).toBeLessThanOrEqual(6);
    }
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v2', wanted: 4, ready: 4 });
    await rig.must('scale', '--environment', 'blue', '--instances', '1');
    expect(await rig.must('rollback')).toContain('Rolled back to revision 1 (v1).');
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v1', wanted: 1, ready: 1 });
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(load.answers).toContain('v2');
    expect((await rig.svc('rollback', '--revision', '9')).error).toContain(
      'Revision 9 does not exist. Known revisions: 2 (v2), 3 (v1).',
    );
  });
});

describe('two instances of examples/orders', { timeout: 120_000 }, () => {
  it('are replaced by a rolling update and by recreate, and stop on SIGTERM with 0 failures', async () => {
    const rig = await Rig.start({ blue: 3, green: 0 }, { instances: 2 });
    onTestFinished(() => rig.stop());
    await rig.must('install', '--environment', 'blue', '--version', 'v1a');
    const load = rig.load();
    await waitFor(() => load.requests > 20, 'load');
    await rig.must('rolling', '--version', 'v1');
    await waitFor(() => (load.answers.get('v1') ?? 0) > 0, 'load on the new version');
    await load.stop();
    expect(load.failures).toEqual([]);

    // Recreate takes everything down first, and refuses for what is marked critical unless told.
    expect(await rig.svc('recreate', '--version', 'v2')).toMatchObject({
      code: 1,
      error: expect.stringContaining('This service is marked critical') as string,
    });
    expect((await rig.platform.status('blue')).version).toBe('v1');
    // Nobody tells HAProxy later: it has to see by itself that the host is not ready, however slow the machine is.
    vi.stubEnv('DRAIN_NOTICE_MS', '2000');
    const progress = progressOf(await rig.must('recreate', '--version', 'v2', '--even-if-critical', '--json'));
    vi.unstubAllEnvs();
    expect(progress.map(({ total }) => total)).toEqual([0, 2]);
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v2', ready: 2 });

    // SIGTERM under load: readiness turns 503 first, running commands finish, the listener closes last.
    const more = rig.load();
    await waitFor(() => more.requests > 50, 'load');
    const pid = rig.pidOf('blue-2');
    process.kill(pid, 'SIGTERM');
    await waitFor(async () => (await rig.platform.status('blue')).ready === 1, 'HAProxy sees that one is not ready');
    // Not ready, and still there: the process drains.
    expect(process.kill(pid, 0)).toBe(true);
    await waitFor(() => !isRunning(pid), 'the process ends');
    const { requests } = more;
    await waitFor(() => more.requests > requests + 50, 'load on the other one');
    await more.stop();
    expect(more.failures).toEqual([]);
    await expectStoredOnce(rig, [load, more]);
    await expectReadable(rig.addressOf('blue-1'), [load, more]);
  });
});
