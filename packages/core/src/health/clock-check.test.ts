import { expect, it } from 'vitest';
import { DatabaseClock } from '../storage/index.js';
import { clockChecks } from './clock-check.js';
import type { HealthResult } from './health-check.js';

const check = async (clock: DatabaseClock): Promise<HealthResult> =>
  await clockChecks(clock)[0]!.check(new AbortController().signal);

it('reports the age of the last response of the database if it does not answer, and where to look', async () => {
  let isAway = true;
  const clock = new DatabaseClock({
    clock: { read: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(Date.now())) },
  });
  const silence = 'The database does not say what time it is.';
  const where = 'See svc_relational_db for the cause.';
  expect(await check(clock)).toEqual({ status: 'Degraded', description: `${silence} It has not yet. ${where}` });
  isAway = false;
  expect(await check(clock)).toMatchObject({ status: 'Healthy' });
  isAway = true;
  expect(await check(clock)).toEqual({
    status: 'Degraded',
    description: `${silence} It last did 0 s ago. ${where}`,
    data: { ageMs: expect.any(Number) as number },
  });
});
