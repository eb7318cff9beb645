import { readInstances } from '@svc/core/hosting';
import type { ProcessInstanceRecord } from '@svc/core/storage';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { requireCurrentSchema } from '../operations/current-schema.js';
import { table } from '../table.js';
import { ExitCode } from '../terminal.js';

/** Lists the instances of processes in the order of their start. */
export async function list({ database, options, json, terminal }: DatabaseCall): Promise<ExitCode> {
  const isOpen = options.flag('open');
  const after = options.text('after');
  const from = after === undefined ? {} : { after: idOf('--after', after) };
  const limit = Math.ceil(options.number('limit')!);
  await requireCurrentSchema(database);
  const { items: shown, next } = await readInstances(database.storage, { isOpen, limit, ...from });
  if (json) {
    terminal.out(JSON.stringify({ database: database.where, instances: shown.map(summary), next }, null, 2));
    return ExitCode.ok;
  }
  if (shown.length === 0) terminal.out(`${database.where}: no ${isOpen ? 'open ' : ''}instances of processes.`);
  else terminal.out(table([heading, ...shown.map(row)]));
  if (next !== null) terminal.out(`\nMore instances: --after ${next}`);
  return ExitCode.ok;
}

const heading = ['process', 'key', 'tenant', 'state', 'events', 'ignored', 'started', 'last event'];

function row(instance: ProcessInstanceRecord): string[] {
  const { process, key, tenant, state, events, ignored, startedAt, lastEventAt } = summary(instance);
  return [process, key, tenant, state, String(events), String(ignored), startedAt, lastEventAt];
}

function summary({ changedAt, isCompleted, startedAt, ...rest }: ProcessInstanceRecord) {
  return {
    ...rest,
    state: isCompleted ? 'completed' : 'open',
    startedAt: new Date(startedAt).toISOString(),
    lastEventAt: new Date(changedAt).toISOString(),
  };
}
