import { OperationKind } from '@svc/core';
import { UsageError } from '../database/failures.js';
import type { DatabaseCall } from '../database/subcommands.js';
import { ask } from '../operations/ask.js';
import type { ExitCode } from '../terminal.js';
import { whichLetter } from './which.js';

const longestReason = 500;

export async function discard(call: DatabaseCall): Promise<ExitCode> {
  const deadLetter = whichLetter(call);
  const reason = call.options.text('reason')?.trim() ?? '';
  if (reason === '' || reason.length > longestReason)
    throw new UsageError(`Say why, for the record: --reason "…", at most ${longestReason} characters.`);
  return await ask(call, {
    kind: OperationKind.DiscardDeadLetter,
    target: null,
    arguments: { deadLetter, reason },
    done: () => ({ text: `Discarded ${deadLetter}.` }),
  });
}
