import { parseArgs } from 'node:util';
import { runs } from './runs/index.mjs';

const described = Object.entries(runs).map(
  ([name, { what, unit }]) => `  ${name.padEnd(10)} ${what}; --count: ${unit}`,
);

export const usage = `Usage: npm run torture -- <run> [options]

${described.join('\n')}

  --count <n>      how much of it; the default is short
  --seed <n>       repeats the random choices of a run; default: a new one
  --minutes <n>    ends the run early after that time; default: 60
  --storage <s>    sqlite or postgres, for a run that works with both; default: both
  --hosts <n>      how many hosts a service on PostgreSQL has, 1 to 3; default: 1 to 3, by the seed
  --from <commit>  the version that hosts are upgraded from; default: the last release
  --json <file>    writes the result to a file as well
  --record         adds the result to docs/reference/reliability-runs.json, instead of those at other commits`;

const text = { type: 'string' };
const options = {
  count: text,
  seed: text,
  minutes: text,
  storage: text,
  hosts: text,
  from: text,
  json: text,
  record: { type: 'boolean' },
};

/** Parses the command line. Throws an error with a text for the user. */
export function readOptions(args) {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [run, ...more] = positionals;
  const names = Object.keys(runs).join(', ');
  if (run === undefined || !Object.hasOwn(runs, run)) throw new Error(`Name a run: ${names}. "--help" explains them.`);
  if (more.length > 0) throw new Error(`Name one run, not ${positionals.length}.`);
  const seed = wholeNumber(values, 'seed', Math.floor(Math.random() * 1e9) + 1);
  return {
    run,
    count: wholeNumber(values, 'count', runs[run].short),
    seed,
    minutes: wholeNumber(values, 'minutes', 60),
    storage: storageFor(run, values.storage),
    hosts: hostsFor(run, values, seed),
    from: fromFor(run, values.from),
    json: values.json ?? null,
    record: values.record ?? false,
  };
}

function storageFor(run, storage) {
  const { storages } = runs[run];
  if (storage === undefined) return null;
  if (storages.includes(storage)) return storage;
  throw new Error(`--storage for ${run} must be ${storages.join(' or ')}, not "${storage}".`);
}

function hostsFor(run, values, seed) {
  if (!runs[run].hasHosts && values.hosts !== undefined) throw new Error(`--hosts is not for ${run}.`);
  return wholeNumber(values, 'hosts', 1 + (seed % 3), 3);
}

function fromFor(run, from) {
  if (from === undefined || run === 'upgrade') return from ?? null;
  throw new Error('--from is for upgrade.');
}

function wholeNumber(values, name, fallback, most = 0x7ffffffe) {
  const value = values[name] === undefined ? fallback : Number(values[name]);
  if (Number.isSafeInteger(value) && value > 0 && value <= most) return value;
  throw new Error(`--${name} must be a whole number from 1 to ${most}, not "${values[name]}".`);
}
