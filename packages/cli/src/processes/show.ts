import { readInstanceSteps, type InstanceStep } from '@svc/core/hosting';
import { Rejection, UsageError } from '../failures.js';
import { useArchive } from '../archive/use-archive.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { requireCurrentSchema } from '../operations/current-schema.js';
import { printable } from '../printable.js';
import { ExitCode } from '../terminal.js';

/** Shows the history of an instance. Bodies may contain private data, and are not printed. */
export async function show(call: DatabaseCall): Promise<ExitCode> {
  const { database, options, positionals, json, terminal } = call;
  const [process, key] = positionals;
  if (process === undefined || key === undefined) {
    throw new UsageError('No process or key given. Run svc processes list to see them.');
  }
  await requireCurrentSchema(database);
  useArchive(call);
  const tenant = options.text('tenant') ?? '';
  const steps: InstanceStep[] = [];
  for await (const step of readInstanceSteps(database.storage, process, tenant, key)) steps.push(step);
  const ofTenant = tenant === '' ? 'without a tenant' : `of tenant ${tenant}`;
  if (steps.length === 0) {
    throw new Rejection(
      `${database.where} has no instance ${key} of the process ${process} ${ofTenant}. Run svc processes list to see keys and tenants.`,
    );
  }
  if (json) {
    terminal.out(JSON.stringify({ process, key, tenant, steps: steps.map(summary) }, null, 2));
    return ExitCode.ok;
  }
  const state = steps.some(({ kind }) => kind === 'completed') ? 'completed' : 'open';
  terminal.out(printable(`${process} ${key} ${ofTenant}: ${state}`));
  for (const step of steps) for (const line of linesOf(step)) terminal.out(printable(line));
  return ExitCode.ok;
}

function summary({ kind, at, correlationId, event, actions }: InstanceStep) {
  return {
    kind,
    at: new Date(at).toISOString(),
    correlationId,
    event: event === null ? null : causeOf(event),
    actions,
  };
}

function causeOf({ id, type, streamId, timestamp, causationId }: NonNullable<InstanceStep['event']>) {
  return { id, type, streamId, at: new Date(timestamp).toISOString(), causationId };
}

function linesOf(step: InstanceStep): string[] {
  const { kind, at, correlationId, event, actions } = summary(step);
  if (kind === 'completed') return [`${at} completed`];
  const what = event === null ? 'an event that no longer exists' : event.type;
  const ignored = kind === 'ignored' ? ', ignored: the instance had completed' : '';
  const cause = event === null ? [] : [`  event ${event.id} of ${event.at}, in stream ${event.streamId}`];
  return [
    `${at} ${what}${ignored}`,
    ...cause,
    `  caused by ${event?.causationId ?? 'nothing'}, correlation ${correlationId}`,
    ...actions.map((action) => `  ${actionText(action)}`),
  ];
}

function actionText({ kind, type, streamId, name, dueAt, dueAfterMs }: InstanceStep['actions'][number]): string {
  const due = dueAt === undefined ? `${(dueAfterMs ?? 0) / 1000} s later` : `at ${dueAt}`;
  switch (kind) {
    case 'appended':
      return `appended ${type} to stream ${streamId}`;
    case 'scheduled':
      return `scheduled ${type} ${due}`;
    case 'timeoutSet':
      return `set the timeout ${name}: ${type} ${due}`;
    case 'timeoutCancelled':
      return `cancelled the timeout ${name}`;
    default:
      return `${kind} ${type}`;
  }
}
