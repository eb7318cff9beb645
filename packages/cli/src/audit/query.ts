import type { Uuid } from '@svc/core';
import type { AuditEntry, AuditQuery } from '@svc/core/hosting';
import { auditPageBounds, AuditReader, OperatorActionKind } from '@svc/core/hosting';
import { counted } from '../counted.js';
import { UsageError } from '../failures.js';
import { idOf } from '../database/ids.js';
import type { Options } from '../command-line/options.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { interruptible } from '../interruption.js';
import { recorderOf } from '../operations/recorder.js';
import { printable } from '../printable.js';
import { table } from '../table.js';
import { ExitCode, type Terminal } from '../terminal.js';
import { filterOf, readableStorage, recordedArguments } from './filter.js';
import { heading, readableEntry, readableTree, rowOf, rowsOfTree } from './record-text.js';
import { dateOf } from './trust-options.js';

const mostRecords = 1_000;
/** Options that --trace replaces. */
const notWithTrace = [
  'tenant',
  'user',
  'type',
  'stream',
  'correlation',
  'message',
  'level',
  'from',
  'to',
  'oldest-first',
  'limit',
  'after',
];

export function query(call: DatabaseCall): Promise<ExitCode> {
  return call.options.text('trace') === undefined ? showRecords(call) : showTrace(call);
}

/** Shows the records that match, and records who asked. */
async function showRecords(call: DatabaseCall): Promise<ExitCode> {
  const { database, options, json, terminal } = call;
  const limit = limitOf(options);
  const conditions = filterOf(options, {
    to: dateOf(options, 'to'),
    first: options.flag('oldest-first') ? 'oldest' : 'newest',
    after: options.text('after'),
  });
  const reader = new AuditReader(readableStorage(call));
  const recorded = await recorderOf(call);
  const args = recordedArguments(options, ['to', 'oldest-first', 'limit', 'after']);
  const { entries, next, isInterrupted } = await recorded(
    { kind: OperatorActionKind.QueryAudit, target: null, arguments: args },
    () => interruptible((signal) => find(reader, conditions, limit, terminal, signal)),
  );
  const exitCode = isInterrupted ? ExitCode.interrupted : ExitCode.ok;
  if (json) {
    const output = { database: database.where, entries: entries.map(readableEntry), next };
    terminal.out(printable(JSON.stringify(output, null, 2)));
    return exitCode;
  }
  if (isInterrupted) terminal.error('Interrupted. The search is not complete.');
  if (entries.length > 0) terminal.out(table([heading, ...entries.map((entry) => rowOf(entry))]));
  else if (!isInterrupted) terminal.out(`${database.where}: no records match.`);
  if (next !== null) terminal.out(`\nMore records: the same options with --after ${next}`);
  return exitCode;
}

interface Found {
  readonly entries: readonly AuditEntry[];
  readonly next: string | null;
  readonly isInterrupted: boolean;
}

/** Reads pages until the limit is reached. A page ends after two seconds: rare records can take several. */
async function find(
  reader: AuditReader,
  conditions: AuditQuery,
  limit: number,
  { live }: Terminal,
  signal: AbortSignal,
): Promise<Found> {
  const entries: AuditEntry[] = [];
  for (let after = conditions.after; ;) {
    const size = Math.min(limit - entries.length, auditPageBounds.most);
    const page = await reader.query({ ...conditions, after, limit: size });
    entries.push(...page.entries);
    const { next } = page;
    if (next === null || entries.length >= limit) return { entries, next, isInterrupted: false };
    if (signal.aborted) return { entries, next, isInterrupted: true };
    live?.(`Searching. ${counted(entries.length, 'record')} found so far. Ctrl-C shows them.`);
    after = next;
  }
}

/** Shows everything that a request caused, as a tree. */
async function showTrace(call: DatabaseCall): Promise<ExitCode> {
  const { database, options, json, terminal } = call;
  const correlation = traceOf(options);
  const reader = new AuditReader(readableStorage(call));
  const recorded = await recorderOf(call);
  const args = recordedArguments(options, ['trace']);
  const { roots, isComplete } = await recorded(
    { kind: OperatorActionKind.QueryAudit, target: null, arguments: args },
    () => reader.trace(correlation),
  );
  if (json) {
    const output = { database: database.where, correlation, isComplete, roots: roots.map(readableTree) };
    terminal.out(printable(JSON.stringify(output, null, 2)));
    return ExitCode.ok;
  }
  if (roots.length === 0) terminal.out(`${database.where}: no records match.`);
  else terminal.out(table([heading, ...roots.flatMap((root) => rowsOfTree(root))]));
  if (!isComplete) terminal.out('\nThe request caused more. query --correlation lists all records.');
  return ExitCode.ok;
}

function traceOf(options: Options): Uuid {
  const [other] = Object.keys(options.given(notWithTrace));
  if (other !== undefined) throw new UsageError(`--trace and --${other} cannot be combined.`);
  return idOf('--trace', options.text('trace')!);
}

function limitOf(options: Options): number {
  const limit = options.number('limit')!;
  if (Number.isInteger(limit) && limit <= mostRecords) return limit;
  throw new UsageError(`--limit must be a whole number from 1 to ${mostRecords}, not "${options.text('limit')}".`);
}
