import { parseArgs } from 'node:util';

export const usage = `Usage: npm run simulate -- [options]

  --seeds <n>      how many seeds run; default: 200, or 1 with --seed
  --seed <n>       the first seed; default: 1
  --minutes <n>    ends the run early after that time; default: 120
  --trace          prints everything that happens in a seed
  --core <folder>  simulates the sources of core in another folder`;

const text = { type: 'string' };
const options = { seeds: text, seed: text, minutes: text, trace: { type: 'boolean' }, core: text };

/** Parses the command line. Throws an error with a text for the user. */
export function readOptions(args) {
  const { values } = parseArgs({ args, options });
  return {
    seeds: wholeNumber(values, 'seeds', values.seed === undefined ? 200 : 1),
    seed: wholeNumber(values, 'seed', 1),
    minutes: wholeNumber(values, 'minutes', 120),
    trace: values.trace ?? false,
    core: values.core ?? null,
  };
}

function wholeNumber(values, name, fallback) {
  const value = values[name] === undefined ? fallback : Number(values[name]);
  if (Number.isSafeInteger(value) && value > 0 && value < 0x7fffffff) return value;
  throw new Error(`--${name} must be a whole number above 0, not "${values[name]}".`);
}
