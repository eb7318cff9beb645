/** One process of the benchmark: every subject in turn, round after round. `measure.mjs <rounds> <milliseconds of a slice>` */
import { makeOrders } from '../lib/orders.mjs';
import { readSubjects, writeSubjects } from './subjects.mjs';

process.once('disconnect', () => process.exit());

const [rounds = 0, sliceMs = 0] = process.argv.slice(2).map(Number);
/** As many as fit into the CPU caches, like a body that was just parsed. */
const texts = makeOrders(64).map((order) => JSON.stringify(order));
// The first rounds determine how often the pool is processed in a slice, and let the compiler finish.
const warmUpRounds = 4;

/** The sum of all results, so that the compiler cannot remove the work. */
let sum = 0;

const subjects = [...readSubjects, ...writeSubjects];
/** How often each processes the pool in a slice. @type {Map<string, number>} */
const passesOf = new Map();
/** @type {Record<string, { time: number }[]>} */
const figures = Object.fromEntries(subjects.map(({ name }) => [name, []]));
for (let round = -warmUpRounds; round < rounds; round++) {
  for (const subject of subjects) {
    const pool = texts.map((text) => subject.prepare(text));
    const passes = passesOf.get(subject.name) ?? 1;
    const elapsed = pass(subject.act, pool, passes);
    if (round >= 0) figures[subject.name]?.push({ time: (elapsed * 1e6) / (pool.length * passes) });
    else passesOf.set(subject.name, Math.max(1, Math.round((sliceMs / elapsed) * passes)));
  }
}
if (!(sum > 0)) throw new Error('The subjects did nothing.');
process.send?.({ kind: 'measured', figures });

/**
 * The same loop calls every subject, so that none is inlined, as in a web framework.
 *
 * @param {(value: any) => number} act
 * @param {readonly unknown[]} pool
 * @param {number} passes
 */
function pass(act, pool, passes) {
  let answers = 0;
  const started = performance.now();
  for (let i = 0; i < passes; i++) {
    for (const value of pool) answers += act(value);
  }
  const elapsed = performance.now() - started;
  sum += answers;
  return elapsed;
}
