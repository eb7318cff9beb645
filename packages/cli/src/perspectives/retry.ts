import { OperationKind, type RetryResult } from '@svc/core/hosting';
import { counted } from '../counted.js';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { requestOperation } from '../operations/request-operation.js';
import { figure } from '../operations/progress-meter.js';
import { printable } from '../printable.js';
import { ExitCode } from '../terminal.js';
import { knownPerspective } from './known-perspective.js';

export async function retry(call: DatabaseCall): Promise<ExitCode> {
  const stream = call.options.text('stream');
  const given = stream === undefined ? {} : { stream: idOf('--stream', stream) };
  const target = await knownPerspective(call.positionals[0], call.database);
  return await requestOperation(call, {
    kind: OperationKind.RetryStreams,
    target,
    arguments: given,
    isAlone: true,
    cancelled: 'Cancelled. The streams retried so far are resumed.',
    done: ({ result }) => outcome(target, result as RetryResult),
  });
}

function outcome(
  target: string,
  { resumed, stopped, stoppedTotal }: RetryResult,
): { text: string; exitCode?: ExitCode } {
  if (resumed + stoppedTotal === 0) return { text: `${target} has no stopped streams.` };
  const summary = `${target}: resumed ${figure(resumed)} of ${counted(resumed + stoppedTotal, 'stream')}.`;
  if (stoppedTotal === 0) return { text: summary };
  const lines = stopped.map(
    ({ streamId, position, errorName, errorMessage }) =>
      `  ${streamId} at event ${position}: ${printable(`${errorName}: ${errorMessage}`)}`,
  );
  const more = stoppedTotal - stopped.length;
  const rest = more > 0 ? `\n  and ${figure(more)} more` : '';
  return { text: `${summary} Stopped again:\n${lines.join('\n')}${rest}`, exitCode: ExitCode.failed };
}
