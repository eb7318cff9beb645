import { expect, it } from 'vitest';
import { acrossDatabases } from './across-databases.js';
import { HealthStatus, type HealthCheck, type HealthResult } from './health-check.js';

const { Healthy, Degraded, Unhealthy } = HealthStatus;

const checks = (check: HealthCheck['check']): readonly HealthCheck[] => [{ name: 'db', tags: ['storage'], check }];
const combined = (eu: HealthCheck['check'], us: HealthCheck['check']): HealthCheck =>
  acrossDatabases(
    [
      { name: 'eu', checks: checks(eu) },
      { name: 'us', checks: checks(us) },
    ],
    () => {},
  )[0]!;
const result = (check: HealthCheck): HealthResult | Promise<HealthResult> => check.check(new AbortController().signal);

it.each([
  [Healthy, Healthy, Healthy],
  [Healthy, Degraded, Degraded],
  [Healthy, Unhealthy, Degraded],
  [Degraded, Unhealthy, Degraded],
  [Unhealthy, Unhealthy, Unhealthy],
])('is %s and %s in two databases: %s', async (eu, us, expected) => {
  const check = combined(
    () => ({ status: eu }),
    () => ({ status: us }),
  );
  expect([check.name, check.tags, (await result(check)).status]).toEqual(['db', ['storage'], expected]);
});

it('names the database of each description and figure', async () => {
  const check = combined(
    () => ({ status: Healthy, data: { ms: 1 } }),
    () => ({ status: Unhealthy, description: 'It does not answer.' }),
  );
  expect(await result(check)).toEqual({
    status: Degraded,
    description: 'Database us: It does not answer.',
    data: { 'eu.status': Healthy, 'eu.ms': 1, 'us.status': Unhealthy },
  });
});

it('does not wait for a database that does not answer', async () => {
  const check = combined(
    () => ({ status: Healthy }),
    () => new Promise(() => {}),
  );
  expect(await result(check)).toMatchObject({ status: Degraded, data: { 'us.status': Unhealthy } });
});
