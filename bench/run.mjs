/** Runs one benchmark: `npm run bench -- <name> [--quick] [--large] [--json]`. Without a name, lists the benchmarks. */
import { parseArgs } from 'node:util';
import { benchmark as append } from './append/benchmark.mjs';
import { benchmark as audit } from './audit/benchmark.mjs';
import { benchmark as auditQuery } from './audit-query/benchmark.mjs';
import { benchmark as client } from './client/benchmark.mjs';
import { benchmark as cluster } from './cluster/benchmark.mjs';
import { benchmark as commands } from './commands/benchmark.mjs';
import { benchmark as operatorConsole } from './console/benchmark.mjs';
import { benchmark as contention } from './contention/benchmark.mjs';
import { benchmark as decide } from './decide/benchmark.mjs';
import { benchmark as follow } from './follow/benchmark.mjs';
import { benchmark as generator } from './generator/benchmark.mjs';
import { benchmark as graphql } from './graphql/benchmark.mjs';
import { benchmark as growth } from './growth/benchmark.mjs';
import { benchmark as http } from './http/benchmark.mjs';
import { benchmark as lag } from './lag/benchmark.mjs';
import { benchmark as live } from './live/benchmark.mjs';
import { benchmark as lists } from './lists/benchmark.mjs';
import { machine } from './lib/machine.mjs';
import { printed } from './lib/print.mjs';
import { busyShare, quietness } from './lib/quietness.mjs';
import { benchmark as rabbitmq } from './rabbitmq/benchmark.mjs';
import { benchmark as reactions } from './reactions/benchmark.mjs';
import { benchmark as reader } from './reader/benchmark.mjs';
import { benchmark as rebuild } from './rebuild/benchmark.mjs';
import { benchmark as rewind } from './rewind/benchmark.mjs';
import { benchmark as seal } from './seal/benchmark.mjs';

/** @typedef {import('./lib/report.mjs').Benchmark} Benchmark */

/** @type {Readonly<Record<string, Benchmark>>} */
const benchmarks = {
  http,
  graphql,
  audit,
  'audit-query': auditQuery,
  append,
  seal,
  commands,
  contention,
  decide,
  lists,
  growth,
  rebuild,
  rewind,
  follow,
  lag,
  live,
  console: operatorConsole,
  reactions,
  cluster,
  rabbitmq,
  reader,
  generator,
  client,
};

/** The time limit of a benchmark that states none. A machine that is fit to measure on needs less. */
const defaultLimitMs = 20 * 60_000;

const usage = `npm run bench -- <name> [--quick] [--large] [--json]

${Object.entries(benchmarks)
  .map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`)
  .join('\n')}

  --quick    fewer and shorter rounds, within a minute: to see that it runs, not to quote
  --large    ten times as much, for \`rebuild\`: 1,000,000 events
  --json     the report for a machine on standard output`;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

async function main() {
  const { name, ...options } = parsed();
  const chosen = benchmarks[name ?? ''];
  if (name === undefined) {
    console.log(usage);
  } else if (chosen === undefined) {
    throw new Error(`Unknown benchmark "${name}".\n\n${usage}`);
  } else {
    await run(name, chosen, options);
  }
}

function parsed() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      large: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  if (positionals.length > 1) throw new Error('Pass one benchmark at a time.');
  return { name: positionals[0], quick: values.quick, large: values.large, json: values.json };
}

/**
 * @param {string} name
 * @param {Benchmark} benchmark
 * @param {{ quick: boolean, large: boolean, json: boolean }} options
 */
async function run(name, benchmark, { quick, large, json }) {
  const { limitMs = defaultLimitMs } = benchmark;
  const limit = setTimeout(() => {
    console.error(`Stopped after the time limit of ${limitMs / 60_000} minutes.`);
    process.exit(1);
  }, limitMs);
  const busyBefore = await busyShare();
  const started = performance.now();
  const report = await benchmark.run({ quick, large, progress });
  clearTimeout(limit);
  progress('');
  const seconds = Math.round((performance.now() - started) / 1000);
  const where = { ...machine(), busyBefore };
  if (json) {
    console.log(JSON.stringify({ benchmark: name, quick, large, machine: where, seconds, ...report }, null, 2));
    return;
  }
  const kind = quick ? 'a quick run, to look at and not to quote' : 'a full run';
  console.log(`${name}: ${benchmark.about}`);
  console.log(`Node ${where.node}, ${where.platform}, ${where.cpus} CPUs (${where.cpuModel}); ${kind}, ${seconds} s\n`);
  console.log(printed({ ...report, notes: [...report.notes, quietness(busyBefore)] }));
}

/** Shows the progress; in a terminal, on one line that is overwritten. @param {string} text */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
  else if (text !== '') process.stderr.write(`${text}\n`);
}
