import { parseArgs } from 'node:util';
import { databases } from './service/database.mjs';

export const usage = `Usage: npm run fuzz -- [options]

  --requests <n>      how many requests are sent; default: 100000
  --seed <n>          repeats the choices of a run; default: a new one
  --database <name>   sqlite or postgres (a private cluster); default: sqlite
  --connections <n>   requests at a time; default: 8
  --minutes <n>       ends the run early after that time; default: 120
  --replay <file>     sends the request of a failure again, and prints its answer`;

const text = { type: 'string' };
const options = { requests: text, seed: text, database: text, connections: text, minutes: text, replay: text };

/** Parses the command line. Throws an error with a text for the user. */
export function readOptions(args) {
  const { values } = parseArgs({ args, options });
  const { database = 'sqlite', replay = null } = values;
  if (!databases.includes(database))
    throw new Error(`--database must be one of ${databases.join(', ')}, not "${String(database)}".`);
  return {
    requests: wholeNumber(values, 'requests', 100_000),
    seed: wholeNumber(values, 'seed', Date.now() % 0x7fffffff),
    connections: wholeNumber(values, 'connections', 8),
    minutes: wholeNumber(values, 'minutes', 120),
    database,
    replay,
  };
}

function wholeNumber(values, name, fallback) {
  const value = values[name] === undefined ? fallback : Number(values[name]);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`--${name} must be a whole number above 0, not "${values[name]}".`);
}
