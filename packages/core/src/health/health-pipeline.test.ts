import { describe, expect, it } from 'vitest';
import { HealthStatus, type HealthCheck, type HealthResult } from './health-check.js';
import { HealthPipeline } from './health-pipeline.js';
import { selfCheck } from './self-check.js';
import { subscriptionsCheck } from './subscriptions-check.js';

const { Healthy, Degraded, Unhealthy } = HealthStatus;

const checked = (name: string, check: HealthCheck['check'], tags: string[] = []): HealthCheck => ({
  name,
  tags,
  check,
});
const being = (status: HealthStatus) => (): HealthResult => ({ status });

describe('the status of a host', () => {
  it.each([
    [[], Healthy],
    [[Healthy, Healthy], Healthy],
    [[Healthy, Degraded], Degraded],
    [[Degraded, Unhealthy, Healthy], Unhealthy],
  ])('of checks that are %j is %s', async (statuses, expected) => {
    const pipeline = new HealthPipeline(statuses.map((status, i) => checked(`check ${i}`, being(status))));
    expect((await pipeline.run()).status).toBe(expected);
  });

  it('has the checks of a tag, with name, description and data of each', async () => {
    const database = checked('db', () => ({ status: Degraded, description: 'slow', data: { ms: 7 } }), ['storage']);
    const pipeline = new HealthPipeline([selfCheck, database]);
    const report = await pipeline.run(({ tags }) => tags.includes('storage'));
    expect(report).toMatchObject({
      status: Degraded,
      entries: [{ name: 'db', tags: ['storage'], status: Degraded, description: 'slow', data: { ms: 7 } }],
    });
    expect((await pipeline.run(({ tags }) => tags.includes('live'))).entries.map(({ name }) => name)).toEqual(['self']);
  });

  it('has names that are unique', () => {
    expect(() => new HealthPipeline([selfCheck, selfCheck])).toThrow(
      expect.objectContaining({ code: 'SVC_DUPLICATE_HEALTH_CHECK' }),
    );
  });
});

describe('a check', () => {
  it('that throws is Unhealthy; its error is reported and not shown', async () => {
    const reported: unknown[] = [];
    const failing = checked('db', () => Promise.reject(new Error('connect postgres://ann:secret@db')));
    const pipeline = new HealthPipeline([failing], { report: (error) => reported.push(error) });
    const report = await pipeline.run();
    expect(report.status).toBe(Unhealthy);
    expect(JSON.stringify(report)).not.toContain('secret');
    expect(reported).toEqual([expect.objectContaining({ message: expect.stringContaining('secret') as string })]);
  });

  it('that hangs is Unhealthy after its time limit, is aborted, and is not started again', async () => {
    let started = 0;
    let finish: (result: HealthResult) => void = () => {};
    const signals: AbortSignal[] = [];
    const hanging: HealthCheck = {
      ...checked('db', (signal) => {
        started++;
        signals.push(signal);
        return new Promise((resolve) => (finish = resolve));
      }),
      timeLimitMs: 20,
    };
    const pipeline = new HealthPipeline([hanging, checked('other', being(Healthy))], { cacheMs: 0 });
    const report = await pipeline.run();
    expect(report.entries.map(({ status }) => status)).toEqual([Unhealthy, Healthy]);
    expect(report.entries[0]!.description).toBe('The check did not answer within 20 ms.');
    expect(signals[0]!.aborted).toBe(true);
    expect((await pipeline.run()).status).toBe(Unhealthy);
    expect(started).toBe(1);
    finish({ status: Healthy });
    await expect.poll(async () => (finish({ status: Healthy }), (await pipeline.run()).status)).toBe(Healthy);
  });

  it('runs concurrently with the other checks', async () => {
    const waiting: (() => void)[] = [];
    const meet = (): Promise<HealthResult> =>
      new Promise((resolve) => {
        waiting.push(() => resolve({ status: Healthy }));
        if (waiting.length === 3) for (const go of waiting) go();
      });
    const pipeline = new HealthPipeline(['a', 'b', 'c'].map((name) => checked(name, meet)));
    expect((await pipeline.run()).status).toBe(Healthy);
  });

  it('runs once for a thousand probes', async () => {
    let runs = 0;
    const counting = checked('db', async () => {
      runs++;
      await new Promise((resolve) => setImmediate(resolve));
      return { status: Healthy };
    });
    const pipeline = new HealthPipeline([counting], { cacheMs: 60_000 });
    await Promise.all(Array.from({ length: 500 }, () => pipeline.run()));
    for (let i = 0; i < 500; i++) await pipeline.run();
    expect(runs).toBe(1);
  });

  it('runs again when its answer has expired', async () => {
    let status: HealthStatus = Healthy;
    const pipeline = new HealthPipeline([checked('db', () => ({ status }))], { cacheMs: 5 });
    expect((await pipeline.run()).status).toBe(Healthy);
    status = Unhealthy;
    await expect.poll(async () => (await pipeline.run()).status, { interval: 2 }).toBe(Unhealthy);
  });
});

it.each([
  [2, [true, true], Healthy],
  [2, [true, false], Degraded],
  [2, [true], Degraded],
  [2, [false], Unhealthy],
  [2, [false, false], Unhealthy],
  [2, [], Unhealthy],
  [0, [], Healthy],
])('of %i subscriptions (tags transport, subscriptions) are up: %j: %s', async (wanted, states, expected) => {
  const opened = () => states.map((isUp) => ({ isUp, close: () => Promise.resolve() }));
  const check = subscriptionsCheck({ wanted, opened, data: () => ({}) });
  expect([check.name, check.tags]).toEqual(['subscriptions', ['transport', 'subscriptions']]);
  expect((await new HealthPipeline([check]).run()).status).toBe(expected);
});
