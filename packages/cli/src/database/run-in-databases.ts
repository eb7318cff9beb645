/** Runs a command in the database that the options choose, or in each database of a service. */
import type { Call } from '../command-line/description.js';
import type { Options } from '../command-line/options.js';
import { NotFound, report, UsageError } from '../failures.js';
import { ExitCode, type Terminal } from '../terminal.js';
import { chooseDatabase, type ChosenDatabase } from './choose-database.js';
import { databaseAddresses, type DatabaseAddress } from './database-addresses.js';
import { readEnvironmentFile } from './environment-file.js';
import { inEachDatabase } from './each-database.js';
import { reportable } from './reportable.js';

export interface DatabaseCall {
  readonly database: ChosenDatabase;
  readonly options: Options;
  readonly positionals: readonly string[];
  readonly json: boolean;
  readonly terminal: Terminal;
}

export interface DatabaseCommand {
  /** Whether it creates a missing database file. */
  readonly creates?: boolean;
  /** Whether it works as the owner of the log: then DATABASE_OWNER_URL comes before DATABASE_URL. */
  readonly asOwner?: boolean;
  /** Whether these arguments are about something in one database, such as an id. Default: it works in all databases of a service. */
  readonly isAboutOne?: (positionals: readonly string[], options: Options) => boolean;
  /** Whether it succeeds if only some databases of a service have what it is about. Default: each database must have it. */
  readonly isEnoughInOne?: boolean;
  readonly run: (call: DatabaseCall) => Promise<ExitCode>;
}

export async function runInDatabases(command: DatabaseCommand, call: Call): Promise<ExitCode> {
  const { path, options, positionals, json, terminal } = call;
  readEnvironmentFile(options.text('database'));
  const addresses = databaseAddresses(options.text('database'), command.asOwner);
  let missing = 0;
  const runIn =
    ({ address }: DatabaseAddress) =>
    (within: Terminal): Promise<ExitCode> =>
      runInDatabase(command, address, { ...call, terminal: within }, ({ message }) => {
        // Only after the last database is it known that none has it.
        if (command.isEnoughInOne !== true || ++missing === addresses.length) return false;
        if (!json) within.out(message);
        return true;
      });
  if (addresses.length === 1) return await runIn(addresses[0]!)(terminal);
  const names = addresses.map((database) => database.name!);
  if (command.isAboutOne?.(positionals, options) === true)
    throw new UsageError(`${path} works in one database. Pass --database with one of ${names.join(', ')}.`);
  const runs = addresses.map((database) => ({ name: database.name!, run: runIn(database) }));
  return await inEachDatabase(runs, json, terminal);
}

async function runInDatabase(
  { creates = false, run }: DatabaseCommand,
  address: string,
  { path, options, positionals, json, terminal }: Call,
  accepts: (error: NotFound) => boolean,
): Promise<ExitCode> {
  let redacted = (text: string): string => text;
  try {
    const database = await chooseDatabase(address, {
      creates,
      applicationName: `svc ${path}`,
      allowPlaintext: options.flag('allow-plaintext'),
    });
    ({ redacted } = database);
    try {
      return await run({ database, options, positionals, json, terminal });
    } finally {
      await database.storage.close();
    }
  } catch (error) {
    const reported = reportable(error, redacted);
    if (reported instanceof NotFound && accepts(reported)) return ExitCode.ok;
    return await report(reported, path, terminal);
  }
}
