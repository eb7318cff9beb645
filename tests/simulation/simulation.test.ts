/** A short run of the simulator. `npm run simulate -- --seeds 10000` is the long one; docs/reference/simulation.md has its figures. */
import { expect, it } from 'vitest';
import { failureText, loadProgram, planOf, run, simulate } from '../../tools/simulation/index.mjs';

const program = loadProgram();
/** `npm run test:all` simulates 200. */
const seeds = Number(process.env['SVC_TEST_SEEDS'] ?? 20);

it('violates no invariant under any of the first seeds', async () => {
  const { failures, commands, events } = await simulate(await program, { seed: 1, seeds });
  expect(failures.map(failureText)).toEqual([]);
  // Seeds whose hosts do nothing would violate nothing.
  expect(commands).toBeGreaterThan(seeds * 10);
  expect(events).toBeGreaterThan(commands);
}, 600_000);

it('repeats a seed exactly, whatever ran before it', async () => {
  const plan = planOf(4);
  const first = await run(await program, plan);
  await run(await program, planOf(5));
  const second = await run(await program, planOf(4));
  expect(second.lines).toEqual(first.lines);
  const lines = first.lines.join('\n');
  expect(lines).toContain('commits');
  expect(lines).toContain('all faults end');
}, 120_000);

it('has every kind of fault, and several hosts of a service, in the first seeds', () => {
  const plans = Array.from({ length: 60 }, (_, i) => planOf(i + 1));
  const kinds = new Set(plans.flatMap(({ steps }) => steps.map(({ kind }) => kind)));
  expect([...kinds].toSorted()).toEqual([
    'clock',
    'crash',
    'faults',
    'freeze',
    'interrupt',
    'lose leases',
    'read',
    'rebuild',
    'request',
    'stop',
  ]);
  const hosts = plans.map((plan) => plan.hosts.filter(({ service }) => service === 'east').length);
  expect(new Set(hosts)).toEqual(new Set([1, 2, 3]));
});
