import type { OperationProgress } from '@svc/core/hosting';
import type { OperationRecord, StoppedStream } from '@svc/core/storage';
import type { DatabaseCall } from '../database/subcommands.js';
import { answerOf } from '../operations/ask.js';
import { requireCurrentSchema } from '../operations/current-schema.js';
import { figure } from '../operations/progress-meter.js';
import { printable } from '../printable.js';
import { table } from '../table.js';
import { ExitCode } from '../terminal.js';

/** Up to here it is counted how far a perspective is behind. */
const mostCounted = 10_000;
const mostOpen = 100;
const mostStoppedShown = 20;

/** Where each perspective stands, from the database alone. */
export async function list({ database, json, terminal }: DatabaseCall): Promise<ExitCode> {
  await requireCurrentSchema(database);
  const { storage, where } = database;
  const known = await storage.perspectives.readPerspectives();
  const names = known.map(({ perspective }) => perspective);
  const standings = new Map(
    (await storage.perspectives.readStandings(names, mostCounted)).map((standing) => [standing.perspective, standing]),
  );
  const open = await storage.operations.readOpen(mostOpen);
  const perspectives = [];
  for (const { perspective, sequence, version, indexed } of known) {
    const { behind = 0, oldest = null } = standings.get(perspective) ?? {};
    const oldestWaiting = oldest === null ? null : new Date(oldest).toISOString();
    const stopped = await storage.perspectives.readStopped(perspective);
    perspectives.push({ name: perspective, sequence, behind, oldestWaiting, version, indexed, stopped });
  }
  if (json) {
    terminal.out(JSON.stringify({ database: where, perspectives, operations: open.map(answerOf) }, null, 2));
    return ExitCode.ok;
  }
  const rows = perspectives.map(({ name, sequence, behind, version, stopped }) => [
    name,
    String(sequence),
    behind >= mostCounted ? `${figure(mostCounted)} or more` : figure(behind),
    stopped.length === 0 ? '-' : `${figure(stopped.length)} streams`,
    version ?? '-',
  ]);
  terminal.out(`${where}\n\n${table([['perspective', 'place', 'behind', 'stopped at', 'version'], ...rows])}`);
  for (const { name, stopped } of perspectives) if (stopped.length > 0) terminal.out(stoppedText(name, stopped));
  if (open.length > 0) terminal.out(`\n${open.map(operationText).join('\n')}`);
  return ExitCode.ok;
}

function stoppedText(name: string, stopped: readonly StoppedStream[]): string {
  const lines = stopped
    .slice(0, mostStoppedShown)
    .map(
      ({ streamId, eventId, position, errorName, errorMessage }) =>
        `  ${streamId} at its event ${position} (${eventId}): ${printable(`${errorName}: ${errorMessage}`)}`,
    );
  const more = stopped.length - lines.length;
  return `\n${name} has stopped at:\n${lines.join('\n')}${more > 0 ? `\n  and ${figure(more)} more; --json has them all` : ''}`;
}

function operationText({ id, kind, target, requestedBy, state, progress }: OperationRecord): string {
  const { done, total, unit } = (progress ?? { done: 0, total: 0, unit: 'streams' }) as OperationProgress;
  const far = progress === null ? '' : `, ${figure(done)} of ${figure(total)} ${unit}`;
  return `${id}  ${kind}${target === null ? '' : ` of ${target}`}, asked for by ${printable(requestedBy)}: ${state}${far}`;
}
