import { OperationKind, type DiscardResult } from '@svc/core/hosting';
import { counted } from '../counted.js';
import { UsageError } from '../failures.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { requestOperation } from '../operations/request-operation.js';
import type { ExitCode } from '../terminal.js';
import { causeOf } from './list.js';
import { deadLetterId } from './dead-letter-id.js';

const maxReasonLength = 500;

export async function discard(call: DatabaseCall): Promise<ExitCode> {
  const all = call.options.flag('all');
  const cause = causeOf(call.options);
  if (all === call.positionals.length > 0) throw new UsageError('Pass the id of a dead letter, or --all with --cause.');
  if (all !== (cause !== undefined))
    throw new UsageError('--all and --cause must be given together. They discard all dead letters with that cause.');
  const reason = call.options.text('reason')?.trim() ?? '';
  if (reason === '' || reason.length > maxReasonLength)
    throw new UsageError(`Pass --reason "…" with 1 to ${maxReasonLength} characters. The reason is recorded.`);
  return await requestOperation(call, {
    kind: OperationKind.DiscardDeadLetter,
    target: null,
    arguments: cause === undefined ? { deadLetter: deadLetterId(call), reason } : { cause, reason },
    cancelled: 'Cancelled. Dead letters discarded before the cancellation stay discarded.',
    done: ({ result }) => ({
      text: cause === undefined ? `Discarded ${deadLetterId(call)}.` : total(result as DiscardResult),
    }),
  });
}

function total({ discarded }: DiscardResult): string {
  return `Discarded ${counted(discarded, 'dead letter')}.`;
}
