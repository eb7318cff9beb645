/** What a deployer leaves behind when it is killed while instances start, and how the next one goes on from there. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SmallRig } from './small-rig.js';
import { waitFor } from './wait-for.js';

let rig: SmallRig;
beforeAll(async () => {
  rig = await SmallRig.start({ blue: 2, green: 1 });
  await rig.must('install', '--environment', 'blue', '--version', 'v1');
});
afterAll(() => rig.stop());

/** Runs `svc deploy …` until it has started an instance in a slot, which does not become ready, and kills it. */
async function killedWhileStarting(slot: string, ...args: string[]): Promise<void> {
  const deployer = rig.controller(...args);
  const ended = once(deployer, 'exit');
  await waitFor(() => existsSync(join(rig.folder, `state/instances/${slot}.json`)), 'the instance is started');
  deployer.kill('SIGKILL');
  await ended;
}

/** Goes on asking until so many more requests are over. */
async function someRequests(asking: { answers: string[]; failures: string[] }): Promise<void> {
  const count = (): number => asking.answers.length + asking.failures.length;
  const begin = count();
  await waitFor(() => count() > begin + 50, 'requests');
}

describe('after a deployer was killed', () => {
  it('a rolling update keeps what serves until the instance that was left behind is ready', async () => {
    rig.hold('v2');
    await killedWhileStarting('blue-2', 'rolling', '--version', 'v2');
    expect(await rig.platform.status('blue')).toMatchObject({ ready: 1 });
    const asking = rig.ask();
    const again = rig.svc('rolling', '--version', 'v2');
    await someRequests(asking);
    rig.letGo('v2');
    expect(await again).toMatchObject({ code: 0 });
    await someRequests(asking);
    await asking.stop();
    expect(asking.failures).toEqual([]);
    expect([asking.answers[0], asking.answers.at(-1)]).toEqual(['v1', 'v2']);
  });

  it('what it had installed is brought into service by the next one', async () => {
    rig.hold('v3');
    await killedWhileStarting('green-1', 'install', '--environment', 'green', '--version', 'v3');
    const pid = rig.pidOf('green-1');
    rig.letGo('v3');
    expect(await rig.must('install', '--environment', 'green', '--version', 'v3')).toBe('green: v3, 1 ready.');
    // The same instance: it was not at fault.
    expect(rig.pidOf('green-1')).toBe(pid);
  });
});

describe('a rolling update', () => {
  it('stops the instance that is not ready first, and the only one that is when another has taken its place', async () => {
    await rig.must('scale', '--environment', 'blue', '--instances', '2');
    rig.hold('v2', 'blue-2');
    await waitFor(async () => (await rig.platform.status('blue')).ready === 1, 'one of two is ready');
    const asking = rig.ask();
    await rig.must('rolling', '--version', 'v4', '--max-surge', '0');
    await someRequests(asking);
    await asking.stop();
    expect(asking.failures).toEqual([]);
    expect(await rig.platform.status('blue')).toMatchObject({ version: 'v4', ready: 2 });
  });
});
