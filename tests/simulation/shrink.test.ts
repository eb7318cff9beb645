/** How a failing history becomes shorter. */
import { expect, it } from 'vitest';
import { failureText, planOf, shrunk, type Plan } from '../../tools/simulation/index.mjs';

const has = (plan: Plan, kind: string): boolean => plan.steps.some((step) => step.kind === kind);

function planWith(...kinds: string[]): Plan {
  for (let seed = 1; ; seed++) {
    const plan = planOf(seed);
    if (plan.hosts.length > 3 && plan.steps.length > 40 && kinds.every((kind) => has(plan, kind))) return plan;
  }
}

it('leaves only the steps, hosts and clocks that the violation needs', async () => {
  const plan = planWith('freeze', 'rebuild');
  const violates = (candidate: Plan): Promise<boolean> =>
    Promise.resolve(has(candidate, 'freeze') && has(candidate, 'rebuild'));
  const { plan: shortest, tries } = await shrunk(plan, violates);
  expect(shortest.steps.map(({ kind }) => kind).toSorted()).toEqual(['freeze', 'rebuild']);
  expect(tries).toBeLessThan(100);
  const needed = new Set(shortest.steps.map(({ host }) => host));
  const services = new Set(shortest.hosts.map(({ service }) => service));
  expect(services.size).toBe(2);
  expect(shortest.hosts.length).toBeLessThanOrEqual(needed.size + 1);
  expect(shortest.hosts.every(({ skewMs }) => skewMs === 0)).toBe(true);
});

it('ends within its limits', async () => {
  const plan = planWith('crash');
  let runs = 0;
  const violates = (): Promise<boolean> => Promise.resolve(++runs < 0);
  await shrunk(plan, violates, { tries: 7 });
  expect(runs).toBe(7);
  const { plan: same } = await shrunk(plan, violates, { ms: 0 });
  expect({ runs, steps: same.steps }).toEqual({ runs: 7, steps: plan.steps });
});

it('prints the invariant, the violation, each step, and how to repeat the seed', () => {
  const plan = planWith('crash', 'faults', 'lose leases');
  const text = failureText({
    seed: plan.seed,
    invariant: 'effects happen once',
    violations: [{ invariant: 'effects happen once', text: 'east, booking: 2 times' }],
    steps: 90,
    plan,
    tries: 12,
  });
  const lines = text.split('\n');
  expect(lines.slice(0, 3)).toEqual([
    `Seed ${plan.seed} violates "effects happen once":`,
    '  east, booking: 2 times',
    `Shortest history found: ${plan.steps.length} of 90 steps, after 12 tries.`,
  ]);
  expect(lines).toHaveLength(3 + plan.hosts.length + plan.steps.length + 1);
  expect(text).not.toContain('undefined');
  expect(lines.at(-1)).toBe(`Repeat it: npm run simulate -- --seed ${plan.seed}`);
});
