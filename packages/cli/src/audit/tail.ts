import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditEntry } from '@svc/core/hosting';
import { AuditFollower, OperatorActionKind } from '@svc/core/hosting';
import { StorageUnavailableError, unlessAborted } from '@svc/core/storage';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { interruptible } from '../interruption.js';
import { recorderOf } from '../operations/recorder.js';
import { printable } from '../printable.js';
import { TableLines } from '../table.js';
import { ExitCode } from '../terminal.js';
import { filterOf, readableStorage, recordedArguments } from './filter.js';
import { heading, readableEntry, rowOf } from './record-text.js';

const pollMs = 500;
/** The widths of the columns, until a value is longer. */
const usualWidths = [24, 16, 10, 7, 30, 9, 8, 38, 36];

/** Prints new records until it is interrupted, or until it cannot print the next one. Records who watched, and how long. */
export async function tail(call: DatabaseCall): Promise<ExitCode> {
  const { database, options, terminal } = call;
  const given = options.text('after');
  const after = given === undefined ? null : idOf('--after', given);
  const conditions = filterOf(options);
  const storage = readableStorage(call);
  const recorded = await recorderOf(call);
  const args = recordedArguments(options, ['after']);
  await recorded({ kind: OperatorActionKind.FollowAudit, target: null, arguments: args }, () =>
    interruptible(async (interrupted) => {
      const signal = AbortSignal.any([interrupted, outputClosed()]);
      const follower = await AuditFollower.begin(storage, conditions, after);
      terminal.error(`Following the audit of ${database.where}. Press Ctrl-C to end.`);
      await printNew(follower, printerOf(call), call, signal);
    }),
  );
  return ExitCode.ok;
}

async function printNew(
  follower: AuditFollower,
  print: (entry: AuditEntry) => void,
  { database, terminal }: DatabaseCall,
  signal: AbortSignal,
): Promise<void> {
  for (let isReachable = true; !signal.aborted;) {
    let isLast = true;
    try {
      const page = await unlessAborted(follower.read(), signal);
      for (const entry of page.entries) print(entry);
      ({ isLast } = page);
      if (!isReachable) terminal.error(`${database.where} answers again.`);
      isReachable = true;
    } catch (error) {
      if (signal.aborted) return;
      if (!isOutage(error)) throw error;
      if (isReachable)
        terminal.error(database.redacted(`${database.where} does not answer${causeOf(error)}. Retrying.`));
      isReachable = false;
    }
    if (isLast) await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
}

function isOutage(error: unknown): error is StorageUnavailableError {
  return error instanceof StorageUnavailableError && error.reason === 'unreachable';
}

function causeOf({ cause }: StorageUnavailableError): string {
  return cause instanceof Error && cause.message !== '' ? ` (${printable(cause.message)})` : '';
}

function printerOf({ json, terminal }: DatabaseCall): (entry: AuditEntry) => void {
  if (json) return (entry) => terminal.out(printable(JSON.stringify(readableEntry(entry))));
  const lines = new TableLines();
  lines.fit(usualWidths.map((width) => ' '.repeat(width)));
  terminal.out(lines.line(heading));
  return (entry) => terminal.out(lines.line(rowOf(entry)));
}

/** Aborts when the program that reads the output, such as `head`, has ended. The next write notices it. */
function outputClosed(): AbortSignal {
  const controller = new AbortController();
  process.stdout.once('error', () => controller.abort());
  return controller.signal;
}
