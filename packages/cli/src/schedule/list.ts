import { readSchedule } from '@svc/core/hosting';
import type { ScheduledCommand } from '@svc/core/storage';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { requireCurrentSchema } from '../operations/current-schema.js';
import { table } from '../table.js';
import { ExitCode } from '../terminal.js';

/** Lists scheduled commands in the order of their due times. Bodies may contain private data, and are not printed. */
export async function list({ database, options, json, terminal }: DatabaseCall): Promise<ExitCode> {
  const tenant = options.text('tenant');
  const after = options.text('after');
  const first = after === undefined ? undefined : idOf('--after', after);
  const limit = Math.ceil(options.number('limit')!);
  await requireCurrentSchema(database);
  const page = { ...(tenant !== undefined && { tenant }), ...(first !== undefined && { after: first }) };
  const { items: shown, next } = await readSchedule(database.storage.schedule, page, limit);
  if (json) {
    terminal.out(JSON.stringify({ database: database.where, commands: shown.map(summary), next }, null, 2));
    return ExitCode.ok;
  }
  if (shown.length === 0) terminal.out(`${database.where}: no scheduled commands.`);
  else terminal.out(table([heading, ...shown.map(row)]));
  if (next !== null) terminal.out(`\nMore scheduled commands: --after ${next}`);
  return ExitCode.ok;
}

const heading = ['id', 'due', 'command', 'key', 'tenant', 'attempts', 'state'];

function row(command: ScheduledCommand) {
  const { id, dueAt, type, key, tenant, attempts, state } = summary(command);
  return [id, dueAt, type, key ?? '', tenant, String(attempts), state];
}

function summary({ message, dueAt, key, tenant, attempts, isRunning }: ScheduledCommand) {
  return {
    id: message.id,
    dueAt: new Date(dueAt).toISOString(),
    type: message.type,
    key,
    tenant,
    attempts,
    state: isRunning ? 'running' : attempts > 0 ? 'retrying' : 'waiting',
  };
}
