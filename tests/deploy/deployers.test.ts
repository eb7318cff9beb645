/** Deployers that are killed, that fail, and that run concurrently: on a real HAProxy, with instances that start quickly. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isSameSplit } from '@svc/deploy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRunning, shortStages } from './haproxy-rig.js';
import { SmallRig, type Asking } from './small-rig.js';
import { waitFor } from './wait-for.js';

// One pair of environments for all; each test begins where the one before it left them. Blue has the traffic until the last ones.
let rig: SmallRig;
beforeAll(async () => {
  rig = await SmallRig.start({ blue: 3, green: 2 });
  await rig.must('install', '--environment', 'blue', '--version', 'v1');
});
afterAll(() => rig.stop());

const isStarted = (slot: string): boolean => existsSync(join(rig.folder, `state/instances/${slot}.json`));

/** Runs `svc deploy …` until it has started an instance that does not become ready, and kills it. */
async function killedWhileStarting(slot: string, ...args: string[]): Promise<void> {
  const deployer = rig.controller(...args);
  const ended = once(deployer, 'exit');
  await waitFor(() => isStarted(slot), 'the instance is started');
  deployer.kill('SIGKILL');
  await ended;
}

/** Sends requests until some more have completed. */
async function someRequests({ answers, failures }: Asking): Promise<void> {
  const count = (): number => answers.length + failures.length;
  const begin = count();
  await waitFor(() => count() > begin + 50, 'requests');
}

describe('after a deployer was killed', () => {
  it('a rolling update retains the serving instances until the leftover instance is ready', async () => {
    rig.hold('v2');
    await killedWhileStarting('blue-2', 'rolling', '--version', 'v2');
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v1', wanted: 1, ready: 1 });
    const asking = rig.ask();
    const again = rig.svc('rolling', '--version', 'v2');
    await someRequests(asking);
    rig.release('v2');
    expect(await again).toMatchObject({ code: 0 });
    await someRequests(asking);
    await asking.stop();
    expect(asking.failures).toEqual([]);
    expect([asking.answers[0], asking.answers.at(-1)]).toEqual(['v1', 'v2']);
    // As many as there were before the first of them began.
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v2', wanted: 1, ready: 1 });
    expect(['blue-1', 'blue-2', 'blue-3'].filter(isStarted)).toEqual(['blue-2']);
  });

  it('the next one brings its installed instances into service', async () => {
    rig.hold('v3');
    await killedWhileStarting('green-1', 'install', '--environment', 'green', '--version', 'v3');
    const pid = rig.pidOf('green-1');
    rig.release('v3');
    expect(await rig.must('install', '--environment', 'green', '--version', 'v3')).toBe('green: v3, 1 ready.');
    // The same instance: it was not at fault.
    expect(rig.pidOf('green-1')).toBe(pid);
  });
});

describe('a rolling update', () => {
  it('stops the unready instance first, and the only ready one after its replacement is ready', async () => {
    await rig.must('scale', '--environment', 'blue', '--instances', '2');
    rig.hold('v2', 'blue-2');
    await waitFor(async () => (await rig.platform.status('blue')).ready === 1, 'one of two is ready');
    const asking = rig.ask();
    await rig.must('rolling', '--version', 'v4', '--max-surge', '0');
    await someRequests(asking);
    await asking.stop();
    expect(asking.failures).toEqual([]);
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v4', wanted: 2, ready: 2 });
  });

  it('to a version that does not start is undone: the replaced instances are restored, and scaling uses their version', async () => {
    const asking = rig.ask();
    expect(await rig.svc('rolling', '--version', 'dead-2')).toMatchObject({
      code: 1,
      error: expect.stringContaining(
        'did not become ready. It got no traffic and was stopped. See its log for the reason.',
      ) as string,
    });
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v4', wanted: 2, ready: 2 });
    await rig.must('scale', '--environment', 'blue', '--instances', '3');
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v4', wanted: 3, ready: 3 });
    await asking.stop();
    expect(asking.failures).toEqual([]);
  });
});

describe('an environment', () => {
  it('without an instance after a failed recreate is complete after a rollback', async () => {
    expect((await rig.svc('recreate', '--version', 'dead-3')).code).toBe(1);
    expect(await rig.platform.status('blue')).toMatchObject({ version: null, wanted: 3, ready: 0 });
    await rig.must('rollback', '--previous');
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v4', wanted: 3, ready: 3 });
  });

  it('is restored with its last version, and stays a valid target of a rollback', async () => {
    await rig.must('scale', '--environment', 'green', '--instances', '0');
    expect(await rig.platform.status('green')).toMatchObject({ version: null, wanted: 0 });
    await rig.must('install', '--environment', 'green', '--version', 'v5');
    await rig.platform.setServed('green', true);
    const pid = rig.pidOf('green-1');
    process.kill(pid, 'SIGKILL');
    await waitFor(async () => !isRunning(pid) && (await rig.platform.status('green')).ready === 0, 'it has ended');
    expect(await rig.platform.status('green')).toEqual({ version: null, wanted: 1, ready: 0, served: true });
    await rig.must('scale', '--environment', 'green', '--instances', '1');
    expect(await rig.platform.status('green')).toEqual({ version: 'v5', wanted: 1, ready: 1, served: true });
    await rig.must('install', '--environment', 'green', '--version', 'v6');
    expect(await rig.platform.status('green')).toMatchObject({ version: 'v6', served: false });
  });
});

describe('the observation of requests', () => {
  it('continues after HAProxy was unreachable, including times', async () => {
    const observation = await rig.platform.observe();
    await rig.stopHaproxy();
    await rig.startHaproxy();
    const asking = rig.ask();
    await waitFor(async () => (await observation.read()).blue.p99 !== null, 'times');
    await asking.stop();
    expect((await observation.read()).blue).toMatchObject({ p99: expect.any(Number) as number });
    observation.close();
  });
});

describe('of two deployers', () => {
  it('the second is rejected, whatever its command, as soon as the first begins', async () => {
    rig.hold('v7');
    const stages = ['--stages', '50,100', ...shortStages];
    const first = rig.svc('canary', '--version', 'v7', '--instances', '1', ...stages);
    await waitFor(() => rig.platform.claim(), 'the first has begun');
    for (const args of [
      ['canary', '--version', 'v7'],
      ['canary', '--resume'],
      ['blue-green', '--version', 'v8'],
      ['rolling', '--version', 'v8'],
      ['recreate', '--version', 'v8'],
      ['rollback', '--even-if-taken-back'],
      ['rollback', '--previous'],
      ['install', '--environment', 'green', '--version', 'v8'],
      ['scale', '--environment', 'blue', '--instances', '1'],
    ]) {
      expect(await rig.svc(...args)).toEqual({
        code: 1,
        out: '',
        error: `Another change of this service is running (canary) by process ${process.pid}. Wait until it ends, or stop it.`,
      });
    }
    expect(await rig.must('status')).toContain(`A change is running (canary); controller: process ${process.pid} on `);
    rig.release('v7');
    const asking = rig.ask();
    expect((await first).code).toBe(0);
    await asking.stop();
    expect(asking.failures).toEqual([]);
    expect(await rig.platform.split()).toEqual({ blue: 0, green: 100 });
    expect(await rig.platform.claim()).toBeNull();
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v4', ready: 3 });
  });

  it('one that was considered gone changes nothing after another took over', async () => {
    const away = rig.svc('canary', '--stages', '25,100', ...shortStages, '--stage-time', '60s');
    await waitFor(async () => isSameSplit(await rig.platform.split(), { blue: 25, green: 75 }), 'the first stage');
    // Somebody on another machine takes it over, and takes it back.
    const { platform } = rig;
    const { id } = (await platform.claim())!;
    const controller = { host: 'elsewhere', pid: 7 };
    const theirs = { id: 'theirs', what: 'rollback', controller, seen: new Date().toISOString() };
    expect(await platform.replaceClaim(id, theirs)).toBe(true);
    await platform.setNote(null);
    await platform.setSplit({ blue: 0, green: 100 });
    expect(await away).toMatchObject({
      code: 1,
      error:
        'Process 7 on elsewhere (rollback) has taken over. This command has changed nothing since. Run svc deploy status to see the current state.',
    });
    expect(await platform.split()).toEqual({ blue: 0, green: 100 });
    expect(await platform.note()).toBeNull();
    expect(await platform.claim()).toEqual(theirs);
    await platform.replaceClaim('theirs', null);
  });

  it('a rolling update stops when another deployer takes over, and restores nothing', async () => {
    rig.hold('v8');
    const away = rig.svc('rolling', '--version', 'v8');
    await waitFor(() => isStarted('green-2'), 'the new version is started');
    const { platform } = rig;
    const claim = (await platform.claim())!;
    await platform.replaceClaim(claim.id, { ...claim, id: 'theirs', controller: { host: 'elsewhere', pid: 7 } });
    rig.release('v8');
    expect(await away).toMatchObject({ code: 1, error: expect.stringContaining('has taken over.') as string });
    // Neither was the old one stopped, nor the new one ended.
    expect(await platform.status('green')).toMatchObject({ ready: 2 });
    await platform.replaceClaim('theirs', null);
  });
});
