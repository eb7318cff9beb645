/** Runs seeds one after another, and shrinks what fails. */
import { planOf } from './plan.mjs';
import { run } from './run.mjs';
import { shrunk } from './shrink.mjs';

/** A run ends after this many failing seeds: more of them rarely show another defect. */
const mostFailures = 5;

/**
 * Returns `{ seeds, commands, events, virtualSeconds, cpuSeconds, failures }`. A failure has its seed, invariant, violations, and the shortest
 * plan that was found. `onSeed(seed, result)` is called after each seed.
 */
export async function simulate(program, { seed, seeds, minutes = 120, shrinks = true, onSeed = () => {} }) {
  const end = performance.now() + minutes * 60_000;
  const totals = { seeds: 0, commands: 0, events: 0, virtualSeconds: 0 };
  const failures = [];
  const started = process.cpuUsage();
  for (let next = seed; next < seed + seeds && performance.now() < end && failures.length < mostFailures; next++) {
    const plan = planOf(next);
    const result = await run(program, plan);
    totals.seeds++;
    totals.commands += result.commands;
    totals.events += result.events;
    totals.virtualSeconds += result.seconds;
    if (result.violations.length > 0) failures.push(await failureOf(program, plan, result, shrinks));
    onSeed(next, result, totals);
  }
  const { user, system } = process.cpuUsage(started);
  return { ...totals, cpuSeconds: (user + system) / 1_000_000, failures };
}

async function failureOf(program, plan, { violations }, shrinks) {
  const { invariant } = violations[0];
  const whole = { seed: plan.seed, invariant, violations, steps: plan.steps.length };
  if (!shrinks) return { ...whole, plan, tries: 0 };
  const violates = async (candidate) =>
    (await run(program, candidate)).violations.some((violation) => violation.invariant === invariant);
  const shortest = await shrunk(plan, violates);
  const again = await run(program, shortest.plan, { hasStacks: true });
  const texts = again.violations.filter((violation) => violation.invariant === invariant);
  return { ...whole, ...shortest, violations: texts.length > 0 ? texts : violations };
}
