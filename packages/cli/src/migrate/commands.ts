import { MigrationStatus } from '@svc/core';
import { OperatorActionKind, queuedMigrationEvents } from '@svc/core/hosting';
import { type MigratingStorage } from '@svc/core/storage';
import type { Options } from '../command-line/options.js';
import { UsageError } from '../failures.js';
import { servicePerspectives, defaultRegistry } from '../database/service-perspectives.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { recorderOf } from '../operations/recorder.js';
import { ExitCode } from '../terminal.js';
import { pendingOf, pendingStatus, statusOf, statusTable } from './figures.js';

export async function status({
  database: { storage, where },
  options,
  json,
  terminal,
}: DatabaseCall): Promise<ExitCode> {
  await addPerspectives(storage, options);
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

export async function plan({ database: { storage, where }, options, json, terminal }: DatabaseCall): Promise<ExitCode> {
  const isComplete = await addPerspectives(storage, options);
  const planned = (await storage.migrations.plan()).filter(({ action }) => action !== 'skip');
  const pending = planned.map(pendingOf);
  if (json) terminal.out(JSON.stringify({ database: where, pending }, null, 2));
  else if (pending.length === 0) terminal.out(`${where}: nothing to do.`);
  else
    for (const { key, sql, description } of pending)
      terminal.out(`-- ${key}: ${description}\n${sql}${sql === '' ? '' : ';\n'}`);
  if (!isComplete) terminal.error(withoutPerspectives);
  return planned.some(({ action }) => action === 'refuse') ? ExitCode.failed : ExitCode.ok;
}

const withoutPerspectives = `Perspectives are not included: ${defaultRegistry} does not exist. Pass --registry <file>.`;

/** Adds the perspectives of the service. Returns whether they are known. */
async function addPerspectives({ migrations }: MigratingStorage, options: Options): Promise<boolean> {
  const items = await servicePerspectives({
    registry: options.text('registry'),
    sharedTenants: options.flag('shared-tenants'),
  });
  migrations.add(...(items ?? []));
  return items !== null;
}

export async function up({ database: { storage, where }, json, terminal }: DatabaseCall): Promise<ExitCode> {
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

export async function rollback(call: DatabaseCall): Promise<ExitCode> {
  const { database, positionals, json, terminal } = call;
  const [key] = positionals;
  if (key === undefined)
    throw new UsageError('No item given. Run svc migrate rollback <key>; svc migrate status lists the keys.');
  const action = { kind: OperatorActionKind.RollBackMigration, target: key, arguments: {} };
  const recorded = await recorderOf(call);
  const record = await recorded(action, () => database.storage.migrations.rollBack(key));
  if (json) terminal.out(JSON.stringify({ database: database.where, item: statusOf(record) }, null, 2));
  else
    terminal.out(
      `Rolled back the last migration of ${key}. Deploy the previous program, or the next start migrates it again.`,
    );
  return ExitCode.ok;
}
