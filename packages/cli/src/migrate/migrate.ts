import { parseArgs } from 'node:util';
import { MigrationStatus, ServiceError, systemEmitter } from '@svc/core';
import { ExitCode, type Terminal } from '../terminal.js';
import { chooseDatabase, UsageError, type ChosenDatabase } from './database.js';
import { pendingOf, pendingStatus, statusOf, statusTable } from './figures.js';
import { migrateHelp } from './help.js';

interface Call {
  readonly database: ChosenDatabase;
  readonly key: string | undefined;
  readonly json: boolean;
  readonly terminal: Terminal;
}

type Subcommand = (call: Call) => Promise<ExitCode>;

const subcommands: Readonly<Record<string, Subcommand>> = { status, plan, up, rollback };

export async function migrate(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || args.includes('--help')) {
    terminal.out(migrateHelp);
    return ExitCode.ok;
  }
  let redacted = (text: string): string => text;
  try {
    if (!Object.hasOwn(subcommands, name)) throw new UsageError(`svc migrate has no command "${name}".`);
    const { values, positionals } = parse(rest);
    const [key] = positionals;
    if (positionals.length > (name === 'rollback' ? 1 : 0))
      throw new UsageError(`${name} does not take "${positionals.at(-1)}".`);
    const database = await chooseDatabase(values.database, name === 'up');
    ({ redacted } = database);
    try {
      return await subcommands[name]!({ database, key, json: values.json, terminal });
    } finally {
      await database.storage.close();
    }
  } catch (error) {
    return failed(error, redacted, terminal);
  }
}

function parse(args: readonly string[]) {
  const options = { database: { type: 'string' }, json: { type: 'boolean', default: false } } as const;
  return parseArgs({ args: [...args], options, allowPositionals: true });
}

async function status({ database: { storage, where }, json, terminal }: Call): Promise<ExitCode> {
  const records = await storage.migrations.records();
  const recorded = new Set(records.map(({ key }) => key));
  const planned = await storage.migrations.plan();
  const items = [...records.map(statusOf), ...planned.filter(({ item }) => !recorded.has(item.key)).map(pendingStatus)];
  if (json) terminal.out(JSON.stringify({ database: where, items }, null, 2));
  else terminal.out(`${where}\n\n${statusTable(items)}`);
  return records.some(({ status: recordedStatus }) => recordedStatus === MigrationStatus.Failed)
    ? ExitCode.failed
    : ExitCode.ok;
}

async function plan({ database: { storage, where }, json, terminal }: Call): Promise<ExitCode> {
  const planned = (await storage.migrations.plan()).filter(({ action }) => action !== 'skip');
  const pending = planned.map(pendingOf);
  if (json) terminal.out(JSON.stringify({ database: where, pending }, null, 2));
  else if (pending.length === 0) terminal.out(`${where}: nothing to do.`);
  else
    for (const { key, sql, description } of pending)
      terminal.out(`-- ${key}: ${description}\n${sql}${sql === '' ? '' : ';\n'}`);
  return planned.some(({ action }) => action === 'refuse') ? ExitCode.failed : ExitCode.ok;
}

async function up({ database: { storage, where }, json, terminal }: Call): Promise<ExitCode> {
  const before = (await storage.migrations.plan()).filter(({ action }) => action !== 'skip');
  storage.migrations.tellTo(systemEmitter(storage), (error) => terminal.error(String(error)));
  await storage.open();
  await storage.migrations.idle();
  await storage.migrations.told();
  const migrated = before.map(({ item }) => item.key);
  if (json) terminal.out(JSON.stringify({ database: where, migrated }, null, 2));
  else terminal.out(migrated.length === 0 ? `${where} is up to date.` : `${where}: migrated ${migrated.join(', ')}.`);
  return ExitCode.ok;
}

async function rollback({ database: { storage, where }, key, json, terminal }: Call): Promise<ExitCode> {
  if (key === undefined)
    throw new UsageError('Which item? Say svc migrate rollback <key>; svc migrate status lists them.');
  const record = await storage.migrations.rollBack(key);
  if (json) terminal.out(JSON.stringify({ database: where, item: statusOf(record) }, null, 2));
  else
    terminal.out(
      `${key} is what it was before its last migration. Deploy the program before it, or it is migrated again at the next start.`,
    );
  return ExitCode.ok;
}

function failed(error: unknown, redacted: (text: string) => string, terminal: Terminal): ExitCode {
  if (!(error instanceof Error)) throw error;
  if (error instanceof UsageError || ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))) {
    terminal.error(`${redacted(error.message)}\n\nsvc migrate --help tells more.`);
    return ExitCode.usage;
  }
  if (!(error instanceof ServiceError)) throw error;
  const why = error.code === 'SVC_STORAGE_UNAVAILABLE' && error.cause instanceof Error ? ` ${error.cause.message}` : '';
  terminal.error(redacted(`${error.message}${why}`));
  return error.code === 'SVC_STORAGE_UNAVAILABLE' ? ExitCode.unreachable : ExitCode.failed;
}
