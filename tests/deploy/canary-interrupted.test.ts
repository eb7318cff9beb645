/** What a canary leaves behind when its controller ends before it does. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { CanaryProgress } from '@svc/deploy';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Rig, shortStages } from './rig.js';
import { waitFor } from './wait-for.js';

let rig: Rig;
beforeEach(async () => {
  rig = await Rig.start();
  await rig.must('install', '--environment', 'blue', '--version', 'v1');
});
afterEach(() => rig.stop());

/** A controller that is in the stage of 25 %. */
async function controllerAt25(): Promise<{
  pid: number;
  ended: Promise<unknown[]>;
  kill: (signal: NodeJS.Signals) => void;
}> {
  const stages = ['--stages', '25,50,100', ...shortStages, '--stage-time', '60s'];
  const controller = rig.controller('canary', '--version', 'v2', '--json', ...stages);
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
  it('leaves the split of its stage when it is killed, and is resumed there', async () => {
    const load = rig.load();
    const controller = await controllerAt25();
    expect((await rig.svc('canary', '--resume')).error).toBe(
      `Process ${controller.pid} drives this rollout. End it first.`,
    );
    controller.kill('SIGKILL');
    await controller.ended;
    expect(await rig.platform.split()).toEqual({ blue: 75, green: 25 });
    expect((await rig.svc('canary', '--version', 'v3')).error).toContain('Go on with --resume');
    expect(await resumed()).toEqual({ code: 0, stages: [25, 50, 100] });
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(await rig.platform.split()).toEqual({ blue: 0, green: 100 });
  });

  it('gives the old version everything on Ctrl-C or SIGTERM, and can be taken back instead of resumed', async () => {
    const load = rig.load();
    const controller = await controllerAt25();
    controller.kill('SIGINT');
    expect(await controller.ended).toEqual([5, null]);
    expect(await rig.platform.split()).toEqual({ blue: 100, green: 0 });
    // Resumed where it was, and interrupted again.
    const again = rig.controller('canary', '--resume', '--json', ...shortStages, '--stage-time', '60s');
    const ended = once(again, 'exit');
    await waitFor(async () => (await rig.platform.split()).green === 25, 'the stage it was in');
    again.kill('SIGTERM');
    expect(await ended).toEqual([5, null]);
    expect(await rig.platform.split()).toEqual({ blue: 100, green: 0 });
    expect(await rig.must('rollback')).toContain('blue has all traffic');
    expect(await rig.platform.note()).toBeNull();
    await load.stop();
    expect(load.failures).toEqual([]);
  });

  it('promotes nothing while HAProxy is out of reach, and gives up safely when it stays away', async () => {
    const load = rig.load();
    const stages = ['--stages', '25,100', ...shortStages, '--stage-time', '60s', '--lost-time', '500ms'];
    const running = rig.svc('canary', '--version', 'v2', ...stages);
    await waitFor(async () => (await rig.platform.split()).green === 25, 'the first stage');
    await load.stop();
    await rig.stopHaproxy();
    const { code, out, error } = await running;
    expect(code).toBe(6);
    expect(error).toContain('The platform is out of reach, nothing is promoted meanwhile');
    expect(out).toContain('The split is as it was in stage 25 %. Go on with --resume');
    // HAProxy comes back with what it had, and the canary with what it was at.
    await rig.startHaproxy();
    await waitFor(async () => (await rig.platform.status('green')).ready === 1, 'green is seen again');
    expect(await rig.platform.split()).toEqual({ blue: 75, green: 25 });
    expect(await rig.platform.note()).toMatchObject({ to: 'green', stage: 0, stages: [25, 100] });
  });
});
