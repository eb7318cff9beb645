/** `npm run simulate`: runs a cluster in one process, under many seeds, and reports violated invariants. */
import { setFlagsFromString } from 'node:v8';
import { resolve } from 'node:path';
import { runCommand } from '../command-line/run-command.mjs';
import { readOptions, usage } from './options.mjs';
import { planOf } from './plan.mjs';
import { loadProgram } from './program.mjs';
import { progressLine, reportOf } from './report.mjs';
import { run } from './run.mjs';
import { simulate } from './simulate.mjs';

const progressMs = 10_000;

// A seed creates much that is garbage soon afterwards.
setFlagsFromString('--max-semi-space-size=64');

await runCommand(usage, main);

async function main(args) {
  const { trace, core, ...options } = readOptions(args);
  const program = await loadProgram(core === null ? {} : { core: resolve(core) });
  if (trace) console.log((await run(program, planOf(options.seed))).lines.join('\n'));
  let shown = performance.now();
  let failing = 0;
  const onSeed = (_seed, { violations }, totals) => {
    if (violations.length > 0) failing++;
    if (performance.now() - shown < progressMs) return;
    shown = performance.now();
    console.log(progressLine(totals, options.seeds, failing));
  };
  const result = await simulate(program, { ...options, onSeed });
  console.log(reportOf(result));
  return result.failures.length === 0;
}
