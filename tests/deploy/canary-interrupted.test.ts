/** The state of a canary when its controller or HAProxy stops before it ends. */
import { once } from 'node:events';
import { Agent } from 'node:http';
import { createInterface } from 'node:readline';
import { isSameSplit, type CanaryProgress } from '@svc/deploy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortStages } from './haproxy-rig.js';
import { answering } from './load.js';
import { SmallRig } from './small-rig.js';
import { waitFor } from './wait-for.js';

// One pair of environments for all; each test begins where the one before it left the traffic.
let rig: SmallRig;
beforeAll(async () => {
  rig = await SmallRig.start({ blue: 1, green: 1 });
  await rig.must('install', '--environment', 'blue', '--version', 'v1');
});
afterAll(() => rig.stop());

/** Starts a controller and waits until it is in stage 25 %. */
async function controllerAt25(version: string): Promise<{
  pid: number;
  ended: Promise<unknown[]>;
  kill: (signal: NodeJS.Signals) => void;
}> {
  const stages = ['--stages', '25,50,100', ...shortStages, '--stage-time', '60s'];
  const controller = rig.controller('canary', '--version', version, '--json', ...stages);
  const ended = once(controller, 'exit');
  for await (const line of createInterface({ input: controller.stdout! })) {
    const step = JSON.parse(line) as CanaryProgress;
    if (step.kind === 'stage' && step.stage === 25) break;
  }
  return { pid: controller.pid!, ended, kill: (signal) => controller.kill(signal) };
}

const resumed = async (): Promise<{ code: number; stages: number[] }> => {
  const { code, progress } = await rig.canary('--resume');
  return { code, stages: progress.flatMap((step) => (step.kind === 'passed' ? [step.stage] : [])) };
};

describe('svc deploy canary', { timeout: 90_000 }, () => {
  it('leaves the split of its stage when it is killed, and resumes there', async () => {
    const traffic = rig.ask();
    const controller = await controllerAt25('v2');
    expect((await rig.svc('canary', '--resume')).error).toBe(
      `Another change of this service is running (canary) by process ${controller.pid}. Wait until it ends, or stop it.`,
    );
    expect(await rig.must('status')).toContain(`is in stage 25 %; controller: process ${controller.pid} on`);
    controller.kill('SIGKILL');
    await controller.ended;
    expect(await rig.platform.split()).toEqual({ blue: 75, green: 25 });
    expect(await rig.must('status')).toContain(
      'A canary of v2 from blue to green is in stage 25 %, but no controller is running. Continue with svc deploy canary --resume',
    );
    expect((await rig.svc('canary', '--version', 'v3')).error).toContain('Continue with --resume');
    expect((await rig.svc('blue-green', '--version', 'v3')).error).toContain('A canary is in progress.');
    expect(await resumed()).toEqual({ code: 0, stages: [25, 50, 100] });
    await traffic.stop();
    expect(traffic.failures).toEqual([]);
    expect(await rig.platform.split()).toEqual({ blue: 0, green: 100 });
  });

  it('gives the old version all traffic on Ctrl-C or SIGTERM, and can be reverted instead of resumed', async () => {
    const traffic = rig.ask();
    const controller = await controllerAt25('v2b');
    controller.kill('SIGINT');
    expect(await controller.ended).toEqual([5, null]);
    expect(await rig.platform.split()).toEqual({ blue: 0, green: 100 });
    // Resumed where it was, and interrupted again.
    const again = rig.controller('canary', '--resume', '--json', ...shortStages, '--stage-time', '60s');
    const ended = once(again, 'exit');
    await waitFor(async () => (await rig.platform.split()).blue === 25, 'the stage it was in');
    again.kill('SIGTERM');
    expect(await ended).toEqual([5, null]);
    expect(await rig.platform.split()).toEqual({ blue: 0, green: 100 });
    expect(await rig.must('rollback')).toContain('green has all traffic');
    expect(await rig.platform.note()).toBeNull();
    // Once more would mean to go forward.
    expect((await rig.svc('rollback')).error).toContain('blue has v2b that was reverted');
    await traffic.stop();
    expect(traffic.failures).toEqual([]);
  });

  it('promotes nothing while HAProxy is unreachable, gives up safely after a limit, and continues when it is back', async () => {
    const agent = new Agent({ keepAlive: false });
    const forced = (): Promise<string> => answering(rig.port, agent, { 'x-svc-version': 'new' });
    const stages = ['--stages', '25,100', ...shortStages, '--stage-time', '60s', '--lost-time', '500ms'];
    const running = rig.svc('canary', '--version', 'v2c', ...stages);
    await waitFor(() => rig.rememberedWeight('blue-1') === 25, 'the first stage');
    await rig.stopHaproxy();
    const { code, out, error } = await running;
    expect(code).toBe(6);
    expect(error).toContain('The platform is unreachable; the canary is paused');
    expect(out).toContain('The split of stage 25 % is unchanged. Continue with --resume');
    // HAProxy comes back with what it had, and the canary with what it was at.
    const isAsBefore = async (): Promise<boolean> =>
      isSameSplit(await rig.platform.split(), { blue: 25, green: 75 }) && (await forced()) === 'v2c';
    await rig.startHaproxy();
    await waitFor(isAsBefore, 'the split and the header are as they were');
    expect(await rig.platform.note()).toMatchObject({ to: 'blue', stage: 0, stages: [25, 100] });

    // This time it is away for a moment only, in the middle of a stage for which there is no data yet.
    const going = rig.canary('--resume');
    await waitFor(async () => (await rig.platform.claim())?.controller.pid === process.pid, 'it continues');
    await rig.stopHaproxy();
    await rig.startHaproxy();
    await waitFor(isAsBefore, 'the split and the header are as they were');
    const traffic = rig.ask();
    expect((await going).code).toBe(0);
    await traffic.stop();
    expect(traffic.failures).toEqual([]);
    expect(await rig.platform.split()).toEqual({ blue: 100, green: 0 });
    expect(await forced()).toBe('v2c');
  });
});
