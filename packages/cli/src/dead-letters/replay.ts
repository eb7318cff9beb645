import { OperationKind, type ReplayResult } from '@svc/core/hosting';
import { UsageError } from '../database/failures.js';
import type { DatabaseCall } from '../database/subcommands.js';
import { ask } from '../operations/ask.js';
import { figure } from '../operations/progress-meter.js';
import { printable } from '../printable.js';
import { ExitCode } from '../terminal.js';
import { causeOf, directionOf } from './list.js';
import { whichLetter } from './which.js';

export async function replay(call: DatabaseCall): Promise<ExitCode> {
  const all = call.options.flag('all');
  const direction = directionOf(call.options);
  if (all === call.positionals.length > 0) throw new UsageError('Say which dead letter, or --all.');
  const cause = causeOf(call.options);
  if (!all && direction !== undefined) throw new UsageError('--direction goes with --all.');
  if (!all && cause !== undefined) throw new UsageError('--cause goes with --all.');
  return await ask(call, {
    kind: OperationKind.ReplayDeadLetters,
    target: null,
    arguments: all
      ? { ...(direction !== undefined && { direction }), ...(cause !== undefined && { cause }) }
      : { deadLetter: whichLetter(call) },
    cancelled: 'Cancelled. Those that were replayed until then are.',
    done: ({ result }) => outcome(result as ReplayResult),
  });
}

function outcome({ replayed, failed, failedTotal }: ReplayResult): { text: string; exitCode?: ExitCode } {
  const text = `Replayed ${figure(replayed)}${replayed === 1 ? ' dead letter' : ' dead letters'}.`;
  if (failedTotal === 0) return { text };
  const lines = failed.map(({ id, error }) => `  ${id}: ${printable(error)}`);
  const more = failedTotal - failed.length;
  const rest = more > 0 ? `\n  and ${figure(more)} more` : '';
  return {
    text: `${text} ${figure(failedTotal)} could not be:\n${lines.join('\n')}${rest}`,
    exitCode: ExitCode.failed,
  };
}
