/** What all commands that use a database share: choosing the database, reading options, reporting errors. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ExitCode, type Terminal } from '../terminal.js';
import { chooseDatabase, plaintextOption, type ChosenDatabase } from './choose-database.js';
import { databaseAddresses, type DatabaseAddress } from './database-addresses.js';
import { inEachDatabase } from './each-database.js';
import { failed, UsageError } from './failures.js';

export interface DatabaseCall {
  readonly database: ChosenDatabase;
  readonly options: Options;
  readonly positionals: readonly string[];
  readonly json: boolean;
  readonly terminal: Terminal;
}

export interface Subcommand {
  /** Its options, in addition to the common ones. */
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** The maximum number of arguments. */
  readonly positionals?: number;
  /** Whether it creates a missing database file. */
  readonly creates?: boolean;
  /** Whether it works as the owner of the log: then DATABASE_OWNER_URL comes before DATABASE_URL. */
  readonly asOwner?: boolean;
  /** Whether these arguments are about something in one database, such as an id. Default: it works in all databases of a service. */
  readonly isAboutOne?: (positionals: readonly string[], options: Options) => boolean;
  readonly run: (call: DatabaseCall) => Promise<ExitCode>;
}

/** The options given on the command line. */
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

  /** Those of some options that are given, by name. */
  given(names: readonly string[]): Readonly<Record<string, unknown>> {
    return Object.fromEntries(names.filter((name) => name in this.#values).map((name) => [name, this.#values[name]]));
  }

  /** A number above 0. */
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const number = Number(text);
    if (!(number > 0 && Number.isFinite(number)))
      throw new UsageError(`--${name} must be a number above 0, not "${text}".`);
    return number;
  }
}

const common = { database: { type: 'string' }, json: { type: 'boolean' }, ...plaintextOption } as const;

/** Runs a command that has subcommands: the first argument is the name of one. */
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
  if (!Object.hasOwn(subcommands, name)) {
    return failed(command, new UsageError(`Unknown command "svc ${command} ${name}".`), (text) => text, terminal);
  }
  return await runOn(command, name, subcommands[name]!, rest, terminal);
}

/** Runs a command that has none. */
export async function runDatabaseCommand(
  command: string,
  help: string,
  only: Subcommand,
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  if (!args.includes('--help')) return await runOn(command, command, only, args, terminal);
  terminal.out(help);
  return ExitCode.ok;
}

async function runOn(
  command: string,
  name: string,
  subcommand: Subcommand,
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  try {
    const config = { args: [...args], options: { ...common, ...subcommand.options }, allowPositionals: true };
    const { values, positionals } = parseArgs(config);
    if (positionals.length > (subcommand.positionals ?? 0))
      throw new UsageError(`Unexpected argument "${positionals.at(-1)}" of ${name}.`);
    const options = new Options(values);
    const addresses = databaseAddresses(options.text('database'), subcommand.asOwner);
    const runIn =
      ({ address }: DatabaseAddress) =>
      (within: Terminal): Promise<ExitCode> =>
        runInDatabase(command, subcommand, address, { options, positionals, terminal: within });
    if (addresses.length === 1) return await runIn(addresses[0]!)(terminal);
    const names = addresses.map((database) => database.name!);
    if (subcommand.isAboutOne?.(positionals, options) === true)
      throw new UsageError(`${name} works in one database. Pass --database with one of ${names.join(', ')}.`);
    const runs = addresses.map((database) => ({ name: database.name!, run: runIn(database) }));
    return await inEachDatabase(runs, options.flag('json'), terminal);
  } catch (error) {
    return failed(command, error, (text) => text, terminal);
  }
}

async function runInDatabase(
  command: string,
  { creates = false, run }: Subcommand,
  address: string,
  { options, positionals, terminal }: Pick<DatabaseCall, 'options' | 'positionals' | 'terminal'>,
): Promise<ExitCode> {
  let redacted = (text: string): string => text;
  try {
    const database = await chooseDatabase(address, {
      creates,
      applicationName: `svc ${command}`,
      allowPlaintext: options.flag('allow-plaintext'),
    });
    ({ redacted } = database);
    try {
      return await run({ database, options, positionals, json: options.flag('json'), terminal });
    } finally {
      await database.storage.close();
    }
  } catch (error) {
    return failed(command, error, redacted, terminal);
  }
}
