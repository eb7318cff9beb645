import { MigrationStatus, OperatorActionKind, queuedMigrationEvents } from '@svc/core';
import { UsageError } from '../database/failures.js';
import { runSubcommand, type DatabaseCall, type Subcommand } from '../database/subcommands.js';
import { operatorOption, recorderOf } from '../operations/recorder.js';
import { ExitCode, type Terminal } from '../terminal.js';
import { pendingOf, pendingStatus, statusOf, statusTable } from './figures.js';
import { migrateHelp } from './help.js';

const subcommands: Readonly<Record<string, Subcommand>> = {
  status: { run: status },
  plan: { run: plan },
  up: { creates: true, run: up },
  rollback: { positionals: 1, options: operatorOption, run: rollback },
};

export function migrate(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return runSubcommand('migrate', migrateHelp, subcommands, args, terminal);
}

async function status({ database: { storage, where }, json, terminal }: DatabaseCall): Promise<ExitCode> {
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

async function plan({ database: { storage, where }, json, terminal }: DatabaseCall): Promise<ExitCode> {
  const planned = (await storage.migrations.plan()).filter(({ action }) => action !== 'skip');
  const pending = planned.map(pendingOf);
  if (json) terminal.out(JSON.stringify({ database: where, pending }, null, 2));
  else if (pending.length === 0) terminal.out(`${where}: nothing to do.`);
  else
    for (const { key, sql, description } of pending)
      terminal.out(`-- ${key}: ${description}\n${sql}${sql === '' ? '' : ';\n'}`);
  return planned.some(({ action }) => action === 'refuse') ? ExitCode.failed : ExitCode.ok;
}

async function up({ database: { storage, where }, json, terminal }: DatabaseCall): Promise<ExitCode> {
  const before = (await storage.migrations.plan()).filter(({ action }) => action !== 'skip');
  storage.migrations.emitTo(queuedMigrationEvents(), (error) => terminal.error(String(error)));
  await storage.open();
  await storage.migrations.idle();
  await storage.migrations.emitted();
  const migrated = before.map(({ item }) => item.key);
  if (json) terminal.out(JSON.stringify({ database: where, migrated }, null, 2));
  else terminal.out(migrated.length === 0 ? `${where} is up to date.` : `${where}: migrated ${migrated.join(', ')}.`);
  return ExitCode.ok;
}

async function rollback(call: DatabaseCall): Promise<ExitCode> {
  const { database, positionals, json, terminal } = call;
  const [key] = positionals;
  if (key === undefined)
    throw new UsageError('Which item? Say svc migrate rollback <key>; svc migrate status lists them.');
  const action = { kind: OperatorActionKind.RollBackMigration, target: key, arguments: {} };
  const recorded = await recorderOf(call);
  const record = await recorded(action, () => database.storage.migrations.rollBack(key));
  if (json) terminal.out(JSON.stringify({ database: database.where, item: statusOf(record) }, null, 2));
  else
    terminal.out(
      `${key} is what it was before its last migration. Deploy the program before it, or it is migrated again at the next start.`,
    );
  return ExitCode.ok;
}
