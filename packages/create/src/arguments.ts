import { parseArgs } from 'node:util';
import { authentications, databases, type Authentication, type Database } from './options.js';

/** What a caller asks for; undefined: not said, so that a question or the default decides. */
export interface NewArguments {
  readonly folder: string | undefined;
  readonly database: Database | undefined;
  readonly authentication: Authentication | undefined;
  readonly graphql: boolean;
  readonly broker: boolean;
  /** Uses the defaults instead of asking. */
  readonly yes: boolean;
  readonly help: boolean;
  /** Prints what was created as JSON, and asks nothing. */
  readonly json: boolean;
}

/** Reads the arguments; throws an error with a message for the caller. */
export function readArguments(args: readonly string[]): NewArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      yes: { type: 'boolean', short: 'y', default: false },
      database: { type: 'string' },
      auth: { type: 'string' },
      graphql: { type: 'boolean', default: false },
      broker: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  if (positionals.length > 1) throw new Error(`Expected one folder, not ${positionals.length}.`);
  const { yes, graphql, broker, help, json } = values;
  return {
    folder: positionals[0],
    database: values.database === undefined ? undefined : choice('--database', values.database, databases),
    authentication: values.auth === undefined ? undefined : choice('--auth', values.auth, authentications),
    graphql,
    broker,
    yes,
    help,
    json,
  };
}

/** One of the choices; throws an error that lists them. */
export function choice<T extends string>(what: string, given: string, choices: readonly T[]): T {
  const found = choices.find((known) => known === given);
  if (found === undefined) throw new Error(`${what} must be ${choices.join(' or ')}, not "${given.slice(0, 50)}".`);
  return found;
}
