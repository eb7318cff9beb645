/** Commands that work on a database: what they have in common is choosing it, reading options, and failing. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ExitCode, type Terminal } from '../terminal.js';
import { chooseDatabase, plaintextOption, type ChosenDatabase } from './choose-database.js';
import { failed, UsageError } from './failures.js';

export interface DatabaseCall {
  readonly database: ChosenDatabase;
  readonly options: Options;
  readonly positionals: readonly string[];
  readonly json: boolean;
  readonly terminal: Terminal;
}

export interface Subcommand {
  /** Its options, beside those that all have. */
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** How many arguments it takes at most. */
  readonly positionals?: number;
  /** Whether it makes a database file that is not there. */
  readonly creates?: boolean;
  readonly run: (call: DatabaseCall) => Promise<ExitCode>;
}

/** The options that were given. */
export class Options {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  text(name: string): string | undefined {
    return this.#values[name] as string | undefined;
  }

  texts(name: string): readonly string[] {
    return (this.#values[name] as readonly string[] | undefined) ?? [];
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  /** Above 0. */
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const number = Number(text);
    if (!(number > 0 && Number.isFinite(number))) throw new UsageError(`--${name} is a number above 0, not "${text}".`);
    return number;
  }
}

const common = { database: { type: 'string' }, json: { type: 'boolean' }, ...plaintextOption } as const;

export async function runSubcommand(
  command: string,
  help: string,
  subcommands: Readonly<Record<string, Subcommand>>,
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || args.includes('--help')) {
    terminal.out(help);
    return ExitCode.ok;
  }
  let redacted = (text: string): string => text;
  try {
    const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
    if (subcommand === undefined) throw new UsageError(`svc ${command} has no command "${name}".`);
    const config = { args: rest, options: { ...common, ...subcommand.options }, allowPositionals: true };
    const { values, positionals } = parseArgs(config);
    if (positionals.length > (subcommand.positionals ?? 0))
      throw new UsageError(`${name} does not take "${positionals.at(-1)}".`);
    const options = new Options(values);
    const database = await chooseDatabase(options.text('database'), {
      creates: subcommand.creates === true,
      who: `svc ${command}`,
      allowPlaintext: options.flag('allow-plaintext'),
    });
    ({ redacted } = database);
    try {
      return await subcommand.run({ database, options, positionals, json: options.flag('json'), terminal });
    } finally {
      await database.storage.close();
    }
  } catch (error) {
    return failed(command, error, redacted, terminal);
  }
}
