import { OperationKind, type ReplayResult } from '@svc/core/hosting';
import { counted } from '../counted.js';
import { UsageError } from '../failures.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { requestOperation } from '../operations/request-operation.js';
import { figure } from '../operations/progress-meter.js';
import { printable } from '../printable.js';
import { ExitCode } from '../terminal.js';
import { causeOf, directionOf } from './list.js';
import { deadLetterId } from './dead-letter-id.js';

export async function replay(call: DatabaseCall): Promise<ExitCode> {
  const all = call.options.flag('all');
  const direction = directionOf(call.options);
  if (all === call.positionals.length > 0) throw new UsageError('Pass either the id of a dead letter or --all.');
  const cause = causeOf(call.options);
  if (!all && direction !== undefined) throw new UsageError('--direction requires --all.');
  if (!all && cause !== undefined) throw new UsageError('--cause requires --all.');
  return await requestOperation(call, {
    kind: OperationKind.ReplayDeadLetters,
    target: null,
    arguments: all
      ? { ...(direction !== undefined && { direction }), ...(cause !== undefined && { cause }) }
      : { deadLetter: deadLetterId(call) },
    cancelled: 'Cancelled. Dead letters replayed before the cancellation stay replayed.',
    done: ({ result }) => outcome(result as ReplayResult),
  });
}

function outcome({ replayed, failed, failedTotal }: ReplayResult): { text: string; exitCode?: ExitCode } {
  const text = `Replayed ${counted(replayed, 'dead letter')}.`;
  if (failedTotal === 0) return { text };
  const lines = failed.map(({ id, error }) => `  ${id}: ${printable(error)}`);
  const more = failedTotal - failed.length;
  const rest = more > 0 ? `\n  and ${figure(more)} more` : '';
  return {
    text: `${text} ${figure(failedTotal)} failed:\n${lines.join('\n')}${rest}`,
    exitCode: ExitCode.failed,
  };
}
