import { OperationKind, type EraseResult } from '@svc/core/hosting';
import { UsageError } from '../failures.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { requestOperation } from '../operations/request-operation.js';
import { figure } from '../operations/progress-meter.js';
import { printable } from '../printable.js';
import type { ExitCode } from '../terminal.js';

const maxReasonLength = 500;

export async function erase(call: DatabaseCall): Promise<ExitCode> {
  const [subject] = call.positionals;
  if (subject === undefined || subject === '') throw new UsageError('No subject given. Pass the id of the person.');
  const reason = call.options.text('reason')?.trim() ?? '';
  if (reason === '' || reason.length > maxReasonLength)
    throw new UsageError(`Pass --reason "…" with 1 to ${maxReasonLength} characters. The reason is recorded.`);
  return await requestOperation(call, {
    kind: OperationKind.EraseSubject,
    target: subject,
    arguments: { reason },
    isAlone: true,
    cancelled: 'Cancelled. The key may be destroyed already; run the command again to complete the erasure.',
    done: ({ result }) => {
      const { events, perspectives } = result as EraseResult;
      const models = perspectives.length === 0 ? 'no models' : `the models of ${perspectives.join(', ')}`;
      return { text: `Erased ${printable(subject)}: ${figure(events)} events read as null, ${models} were rebuilt.` };
    },
  });
}
