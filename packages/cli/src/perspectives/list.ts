import {
  MeasuredStandings,
  mostCounted,
  perspectiveHolders,
  perspectiveLanes,
  type OperationProgress,
  type PerspectiveLag,
  type SegmentState,
} from '@svc/core/hosting';
import type { OperationRecord, StoppedStream } from '@svc/core/storage';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { answerOf } from '../operations/request-operation.js';
import { requireCurrentSchema } from '../operations/current-schema.js';
import { counted } from '../counted.js';
import { figure, progressText } from '../operations/progress-meter.js';
import { printable } from '../printable.js';
import { table } from '../table.js';
import { ExitCode } from '../terminal.js';

const maxOpen = 100;
const maxStoppedShown = 20;

/** Shows each perspective's state from the database, without a running service. */
export async function list({ database, json, terminal }: DatabaseCall): Promise<ExitCode> {
  await requireCurrentSchema(database);
  const { storage, where } = database;
  const known = await storage.perspectives.readPerspectives();
  const names = known.map(({ perspective }) => perspective);
  const standings = await MeasuredStandings.measure(storage.perspectives, names);
  const open = await storage.operations.readOpen(maxOpen);
  const holders = perspectiveHolders(await storage.leases.readHeld(perspectiveLanes));
  const perspectives = [];
  for (const { perspective, sequence, version, indexed } of known) {
    const lag = standings.lagOf(perspective);
    const stopped = await storage.perspectives.readStopped(perspective);
    const own = holders.filter((holder) => holder.perspective === perspective);
    const hosts = [...new Set(own.map(({ process }) => process))];
    const segments = standings.segmentsOf(perspective, holders).map(withTime);
    perspectives.push({ name: perspective, sequence, ...withTime(lag), hosts, version, indexed, stopped, segments });
  }
  if (json) {
    terminal.out(JSON.stringify({ database: where, perspectives, operations: open.map(answerOf) }, null, 2));
    return ExitCode.ok;
  }
  const rows = perspectives.flatMap(({ name, sequence, hosts, version, stopped, segments, ...lag }) => [
    [name, String(sequence), ...lagCells(lag), stoppedCell(stopped.length), hostsCell(hosts), version ?? '-'],
    ...segments.map(segmentRow),
  ]);
  const heads = ['perspective', 'place', 'behind', 'events/s', 'stopped', 'host', 'version'];
  terminal.out(`${where}\n\n${table([heads, ...rows])}`);
  for (const { name, stopped } of perspectives) if (stopped.length > 0) terminal.out(stoppedText(name, stopped));
  if (open.length > 0) terminal.out(`\n${open.map(operationText).join('\n')}`);
  return ExitCode.ok;
}

/** The lag with its time as text. */
function withTime<T extends PerspectiveLag>(lag: T): Omit<T, 'oldestWaiting'> & { oldestWaiting: string | null } {
  const { oldestWaiting: oldest } = lag;
  return { ...lag, oldestWaiting: oldest === null ? null : new Date(oldest).toISOString() };
}

function segmentRow({ segment, sequence, stopped, hosts, ...lag }: Omit<SegmentState, 'oldestWaiting'>): string[] {
  return [`  segment ${segment}`, String(sequence), ...lagCells(lag), stoppedCell(stopped), hostsCell(hosts), ''];
}

function lagCells({ behind, eventsPerSecond }: Pick<PerspectiveLag, 'behind' | 'eventsPerSecond'>): string[] {
  return [
    behind >= mostCounted ? `${figure(mostCounted)} or more` : figure(behind),
    eventsPerSecond === null ? '-' : figure(eventsPerSecond),
  ];
}

function stoppedCell(stopped: number): string {
  return stopped === 0 ? '-' : counted(stopped, 'stream');
}

function hostsCell(hosts: readonly (string | null)[]): string {
  return hosts.length === 0 ? '-' : hosts.map((host) => host ?? 'unknown').join(', ');
}

function stoppedText(name: string, stopped: readonly StoppedStream[]): string {
  const lines = stopped
    .slice(0, maxStoppedShown)
    .map(
      ({ streamId, eventId, position, errorName, errorMessage }) =>
        `  ${streamId} at event ${position} (${eventId}): ${printable(`${errorName}: ${errorMessage}`)}`,
    );
  const more = stopped.length - lines.length;
  return `\nStopped streams of ${name}:\n${lines.join('\n')}${more > 0 ? `\n  and ${figure(more)} more; --json lists all of them` : ''}`;
}

function operationText({ id, kind, target, requestedBy, state, progress }: OperationRecord): string {
  const reached = progress === null ? '' : `, ${progressText(progress as OperationProgress)}`;
  return `${id}  ${kind}${target === null ? '' : ` of ${target}`}, requested by ${printable(requestedBy)}: ${state}${reached}`;
}
