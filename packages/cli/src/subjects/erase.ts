import { OperationKind, type EraseResult } from '@svc/core/hosting';
import { UsageError } from '../database/failures.js';
import { runDatabaseCommand, type DatabaseCall } from '../database/subcommands.js';
import { requestOperation, requestOptions } from '../operations/request-operation.js';
import { figure } from '../operations/progress-meter.js';
import { printable } from '../printable.js';
import type { ExitCode, Terminal } from '../terminal.js';
import { eraseHelp } from './help.js';

const maxReasonLength = 500;
const options = { ...requestOptions, reason: { type: 'string' } } as const;

export function erase(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  return runDatabaseCommand('erase', eraseHelp, { options, positionals: 1, run }, args, terminal);
}

async function run(call: DatabaseCall): Promise<ExitCode> {
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
