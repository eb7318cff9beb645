import { OperationKind, type DiscardResult } from '@svc/core/hosting';
import { UsageError } from '../database/failures.js';
import type { DatabaseCall } from '../database/subcommands.js';
import { ask } from '../operations/ask.js';
import { figure } from '../operations/progress-meter.js';
import type { ExitCode } from '../terminal.js';
import { causeOf } from './list.js';
import { whichLetter } from './which.js';

const longestReason = 500;

export async function discard(call: DatabaseCall): Promise<ExitCode> {
  const all = call.options.flag('all');
  const cause = causeOf(call.options);
  if (all === call.positionals.length > 0) throw new UsageError('Say which dead letter, or --all with a --cause.');
  if (all !== (cause !== undefined))
    throw new UsageError('--all goes with --cause: letters of one cause are discarded.');
  const reason = call.options.text('reason')?.trim() ?? '';
  if (reason === '' || reason.length > longestReason)
    throw new UsageError(`Say why, for the record: --reason "…", at most ${longestReason} characters.`);
  return await ask(call, {
    kind: OperationKind.DiscardDeadLetter,
    target: null,
    arguments: cause === undefined ? { deadLetter: whichLetter(call), reason } : { cause, reason },
    cancelled: 'Cancelled. Those that were discarded until then are.',
    done: ({ result }) => ({
      text: cause === undefined ? `Discarded ${whichLetter(call)}.` : total(result as DiscardResult),
    }),
  });
}

function total({ discarded }: DiscardResult): string {
  return `Discarded ${figure(discarded)}${discarded === 1 ? ' dead letter' : ' dead letters'}.`;
}
