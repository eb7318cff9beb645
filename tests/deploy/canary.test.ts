/** Canary on a real HAProxy under constant load: with instances that start quickly, and with two live versions of examples/orders on one PostgreSQL. */
import { Agent } from 'node:http';
import type { CanaryProgress } from '@svc/deploy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStoredOnce, expectReadable } from './ledger.js';
import { answering, type Load } from './load.js';
import { Rig, shortStages } from './rig.js';
import { SmallRig } from './small-rig.js';
import { waitFor } from './wait-for.js';

type Passed = Extract<CanaryProgress, { kind: 'passed' }>;
const passedOf = (progress: readonly CanaryProgress[]): Passed[] =>
  progress.filter((step): step is Passed => step.kind === 'passed');
const outcomeOf = (progress: readonly CanaryProgress[]): unknown =>
  progress.flatMap((step) => (step.kind === 'ended' ? [step.outcome] : []))[0];

describe('svc deploy canary', { timeout: 90_000 }, () => {
  // One pair of environments for all: each test leaves everything with blue.
  let rig: SmallRig;
  beforeAll(async () => {
    rig = await SmallRig.start({ blue: 1, green: 1 });
    await rig.must('install', '--environment', 'blue', '--version', 'v1');
  });
  afterAll(() => rig.stop());

  it('distributes requests exactly by the split, and raises one weight before it lowers the other', async () => {
    await rig.must('install', '--environment', 'green', '--version', 'v2');
    const agent = new Agent({ keepAlive: true });
    for (const share of [10, 25, 50, 75, 100, 0]) {
      await rig.platform.setSplit({ blue: 100 - share, green: share });
      expect(await rig.platform.split()).toEqual({ blue: 100 - share, green: share });
      let green = 0;
      for (let i = 0; i < 100; i += 1) green += (await answering(rig.port, agent)) === 'v2' ? 1 : 0;
      // The first round after a change may be one off.
      expect(Math.abs(green - share)).toBeLessThanOrEqual(1);
    }
    agent.destroy();
  });

  it('reverts a version that fails 20 % of its requests in the first stage', async () => {
    const traffic = rig.ask();
    const { code, progress } = await rig.canary('--version', 'bad-2');
    await waitFor(() => traffic.requests > 100, 'more load');
    await traffic.stop();
    expect(code).toBe(3);
    expect(outcomeOf(progress)).toMatchObject({
      result: 'reverted',
      reason: 'error-rate',
      stage: 10,
      split: { blue: 100, green: 0 },
    });
    expect(await rig.platform.split()).toEqual({ blue: 100, green: 0 });
    // What failed is what the bad version answered; going back failed nothing.
    expect(traffic.failures.filter((failure) => failure !== '500 from bad-2')).toEqual([]);
    expect(traffic.failures.length).toBeLessThan(20);
  });

  it('lets a header force the new version, whatever the split, and only during a canary', async () => {
    await rig.must('install', '--environment', 'green', '--version', 'v2');
    const agent = new Agent({ keepAlive: true });
    const forced = (): Promise<string> => answering(rig.port, agent, { 'x-svc-version': 'new' });
    expect(await forced()).toBe('v1');
    const running = rig.canary('--no-data-time', '1500ms');
    await waitFor(async () => (await forced()) === 'v2', 'the header leads to the new version');
    for (let i = 0; i < 20; i += 1) expect(await forced()).toBe('v2');
    const { code } = await running;
    // Forced requests say nothing about how the version does in ordinary traffic.
    expect(code).toBe(4);
    await expect.poll(forced).toBe('v1');
    agent.destroy();
  });

  it('waits without traffic, then reverts, and never promotes', async () => {
    const { code, progress } = await rig.canary('--version', 'v2', '--no-data-time', '600ms');
    expect(code).toBe(4);
    expect(outcomeOf(progress)).toMatchObject({ result: 'reverted', reason: 'no-data', stage: 10 });
    expect(progress.some((step) => step.kind === 'stage' && step.waitingForData)).toBe(true);
    expect(passedOf(progress)).toEqual([]);
    expect(await rig.platform.split()).toEqual({ blue: 100, green: 0 });
  });
});

describe('svc deploy canary of examples/orders', { timeout: 90_000 }, () => {
  // One pair of environments and one database for all: each test begins where the one before it left the traffic.
  let rig: Rig;
  const loads: Load[] = [];
  function load(): Load {
    const begun = rig.load();
    loads.push(begun);
    return begun;
  }
  beforeAll(async () => {
    rig = await Rig.start();
    await rig.must('install', '--environment', 'blue', '--version', 'v1');
  });
  afterAll(() => rig.stop());

  it('promotes a good version through 10, 25, 50, 75 and 100 % with 0 failed requests and the exact split', async () => {
    const traffic = load();
    const downBefore = await rig.timesDown();
    const { code, progress } = await rig.canary('--version', 'v2');
    const stayedUp = (await rig.timesDown()) === downBefore;
    await traffic.stop();
    expect(traffic.failures).toEqual([]);
    expect(code).toBe(0);
    expect(outcomeOf(progress)).toMatchObject({ result: 'promoted', to: 'green', split: { blue: 0, green: 100 } });
    expect(passedOf(progress).map(({ stage }) => stage)).toEqual([10, 25, 50, 75, 100]);
    for (const { stage, sample, old } of passedOf(progress)) {
      const all = sample.requests + old.requests;
      // Requests that were under way when the stage began or ended are counted on one side only: one for each caller. An
      // instance that does not answer its probes gets none: the other has them all.
      if (stayedUp) expect(Math.abs(sample.requests - (all * stage) / 100)).toBeLessThanOrEqual(6);
      expect(sample.errors).toBe(0);
      expect(sample.p99).toBeGreaterThan(0);
    }
    expect(await rig.platform.note()).toBeNull();
  });

  it('is an expand across two versions: each has its own models in all stages, and nothing is lost', async () => {
    await expectStoredOnce(rig, loads);
    for (const summary of await expectReadable(rig.addressOf('blue-1'), loads)) {
      expect(summary).toMatchObject({ pieces: 2 });
      expect(summary).not.toHaveProperty('products');
    }
    for (const summary of await expectReadable(rig.addressOf('green-1'), loads)) {
      expect(summary).toMatchObject({ pieces: 2, products: 1 });
    }
  });

  it('reverts when the instances of the new version stop, and loses no acknowledged command', async () => {
    const traffic = load();
    const stages = ['--stages', '25,100', ...shortStages, '--stage-time', '60s', '--lost-time', '300ms'];
    const running = rig.svc('canary', '--version', 'v2d', ...stages);
    await waitFor(async () => (await rig.platform.split()).blue === 25, 'the first stage');
    await traffic.stop();
    process.kill(rig.pidOf('blue-1'), 'SIGKILL');
    const { code, out } = await running;
    expect({ code, split: await rig.platform.split() }).toEqual({ code: 3, split: { blue: 0, green: 100 } });
    expect(out).toContain(
      'Reverted in stage 25 % (no instance of the new version is ready). Now blue 0 %, green 100 %',
    );
    expect(await rig.platform.note()).toBeNull();
    await expectStoredOnce(rig, loads);
  });

  it('and the contract: the next version removes the old form, in a canary as well', async () => {
    const traffic = load();
    const { code } = await rig.canary('--version', 'v3');
    await traffic.stop();
    expect(traffic.failures).toEqual([]);
    expect(code).toBe(0);
    await expectStoredOnce(rig, loads);
    for (const summary of await expectReadable(rig.addressOf('green-1'), loads)) {
      expect(summary).toMatchObject({ pieces: 2, products: 1 });
    }
    for (const summary of await expectReadable(rig.addressOf('blue-1'), loads)) {
      expect(summary).toMatchObject({ products: 1 });
      expect(summary).not.toHaveProperty('pieces');
    }
  });
});
