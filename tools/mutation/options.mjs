import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

export const usage = `Usage: npm run mutate -- <folders or files> [options]

  --sample <n>      judges only so many mutants, chosen by the seed; default: all
  --seed <n>        the seed of the sample; default: a new one
  --workers <n>     test processes; default: one per processor
  --seconds <n>     the most seconds of tests for one mutant; default: 20
  --minutes <n>     ends the run early after that time; default: 120
  --tests <list>    folders of tests in addition to the unit tests, separated by commas; default: those named like the mutated folders
  --postgres        also runs tests that need PostgreSQL; always for packages/postgres
  --json <file>     also writes the results to a file`;

const text = { type: 'string' };
const postgres = { type: 'boolean' };
const options = {
  sample: text,
  seed: text,
  workers: text,
  seconds: text,
  minutes: text,
  tests: text,
  json: text,
  postgres,
};

/** Parses the command line. Throws an error with a text for the user. */
export function readOptions(args) {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (positionals.length === 0) throw new Error(`Name a folder or a file to mutate.\n\n${usage}`);
  return {
    targets: positionals,
    sample: values.sample === undefined ? null : wholeNumber(values, 'sample'),
    seed: wholeNumber(values, 'seed', Date.now() % 0x7fffffff),
    workers: wholeNumber(values, 'workers', availableParallelism()),
    seconds: wholeNumber(values, 'seconds', 20),
    minutes: wholeNumber(values, 'minutes', 120),
    tests: values.tests?.split(',') ?? null,
    postgres: values.postgres ?? positionals.some((target) => target.includes('packages/postgres')),
    json: values.json ?? null,
  };
}

function wholeNumber(values, name, fallback) {
  const value = values[name] === undefined ? fallback : Number(values[name]);
  if (Number.isSafeInteger(value) && value > 0 && value < 0x7fffffff) return value;
  throw new Error(`--${name} must be a whole number above 0, not "${values[name]}".`);
}
