/** What the descriptions of commands on a database share. Loads no database. */
import type { CommandDescription, ExitCodes, OptionDescription, Run } from '../command-line/description.js';
import type { ExitCode } from '../terminal.js';
import type { DatabaseCall, DatabaseCommand } from './run-in-databases.js';

const plaintextOption: Readonly<Record<string, OptionDescription>> = {
  'allow-plaintext': {
    summary: 'connect to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same',
  },
};

/** The options of commands that connect to a database. */
export const databaseOptions: Readonly<Record<string, OptionDescription>> = {
  database: {
    value: '<database>',
    summary:
      'postgres://… or a SQLite file, or a name in DATABASES (default: all in DATABASES; else DATABASE_URL, or the one database file in .svc; variables can be in .env)',
  },
  ...plaintextOption,
};

/** The same, for commands of the owner of the log. */
export const ownerOptions: Readonly<Record<string, OptionDescription>> = {
  database: {
    value: '<database>',
    summary:
      'postgres://… or a SQLite file, or a name in DATABASES (default: all in DATABASES; else DATABASE_OWNER_URL, DATABASE_URL, or the one database file in .svc; variables can be in .env)',
  },
  ...plaintextOption,
};

/** The option of commands that are recorded with their operator. */
export const operatorOption: Readonly<Record<string, OptionDescription>> = {
  as: { value: '<name>', summary: 'the operator to record (default: the user of the operating system)' },
};

/** The options of commands that request an operation from a host. */
export const requestOptions: Readonly<Record<string, OptionDescription>> = {
  wait: {
    value: '<seconds>',
    summary: 'how long to wait for a host of the service to accept the request',
    default: '15',
  },
  ...operatorOption,
};

export const keyVaultOption: Readonly<Record<string, OptionDescription>> = {
  'key-vault': {
    value: '<file>',
    summary: 'decrypt personal data with this local key vault (default: the variable KEY_VAULT has its content)',
  },
};

export const archiveOption: Readonly<Record<string, OptionDescription>> = {
  archive: { value: '<folder>', summary: 'where the bodies of archived events are' },
};

/** A page of a list. */
export const pageOptions = (
  unit: string,
  limit: number,
  after = '<id>',
): Readonly<Record<string, OptionDescription>> => ({
  limit: { value: '<n>', summary: `the maximum number of ${unit}`, default: String(limit) },
  after: { value: after, summary: 'start after this one, which the previous page has printed' },
});

export const databaseExitCodes: ExitCodes = {
  0: 'done',
  1: 'failed or rejected',
  2: 'wrong usage',
  6: 'the database is unreachable',
};

export const requestExitCodes: ExitCodes = {
  ...databaseExitCodes,
  5: 'cancelled',
  6: 'the database is unreachable, or no host accepted the request',
};

export const severalDatabases =
  'DATABASES has all databases of a service with several: "eu=postgres://… us=postgres://…". Without --database, a command works in each of them, and prints the name of each. With --json it prints an array of {name, exitCode, output}. A command that is about one id, token or file works in one database: pass --database.';

/** The output of a command that requests an operation. */
export const operationJson =
  '{id, kind, target, state, requestedBy, attempts, requestedAt, durationMs, progress, result, error}';

/** Loads a command that works in a database. */
export function inDatabase(
  load: () => Promise<(call: DatabaseCall) => Promise<ExitCode>>,
  settings: Omit<DatabaseCommand, 'run'> = {},
): CommandDescription['load'] {
  return async (): Promise<Run> => {
    const [{ runInDatabases }, run] = await Promise.all([import('./run-in-databases.js'), load()]);
    return (call) => runInDatabases({ ...settings, run }, call);
  };
}
