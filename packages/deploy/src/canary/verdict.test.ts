import { describe, expect, it } from 'vitest';
import { canaryOptions } from './canary-options.js';
import { judge, type Verdict } from './verdict.js';

const options = canaryOptions({ stageMs: 1000, noDataMs: 500, minRequests: 100, maxErrorRate: 0.05 });

describe('a stage', () => {
  it.each<[string, number, number, number, Verdict]>([
    ['is watched until its time is over', 1000, 0, 999, 'watching'],
    ['passes with enough requests and no errors', 100, 0, 1000, 'passed'],
    ['passes at exactly 5 %', 100, 5, 1000, 'passed'],
    ['fails above 5 %, before its time is over', 1000, 51, 10, 'failing'],
    ['fails above 5 %, when its time is over', 100, 6, 1000, 'failing'],
    ['fails when even a minimum sample without further errors would exceed 5 %', 6, 6, 10, 'failing'],
    ['is watched while the errors may still be below 5 % of the minimum sample', 10, 5, 10, 'watching'],
    ['waits for data when its time is over', 99, 0, 1499, 'watching'],
    ['has no data without requests', 0, 0, 1500, 'no-data'],
    ['has no data with too few requests', 99, 0, 1500, 'no-data'],
  ])('%s', (_what, requests, errors, elapsed, verdict) => {
    expect(judge({ requests, errors, p99: null }, elapsed, options)).toBe(verdict);
  });
});

describe('the options of a canary', () => {
  it('are 10, 25, 50, 75 and 100 percent, 5 minutes each, at most 5 % errors', () => {
    expect(canaryOptions()).toMatchObject({ stages: [10, 25, 50, 75, 100], stageMs: 300_000, maxErrorRate: 0.05 });
  });

  it.each([
    [{ stages: [10, 5, 100] }, 'Stages must be whole percents that increase to 100'],
    [{ stages: [10, 50] }, 'Stages must be whole percents that increase to 100'],
    [{ stages: [] }, 'Stages must be whole percents that increase to 100'],
    [{ maxErrorRate: 5 }, 'The maximum error rate'],
    [{ minRequests: 0 }, 'The minimum number of requests'],
  ])('reject %j', (given, message) => expect(() => canaryOptions(given)).toThrow(message));
});
