import { OperationKind, type EraseResult } from '@svc/core/hosting';
import { counted } from '../counted.js';
import { NotFound, UsageError } from '../failures.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { requireCurrentSchema } from '../operations/current-schema.js';
import { requestOperation } from '../operations/request-operation.js';
import { requester } from '../operations/requester.js';
import { printable } from '../printable.js';
import type { ExitCode } from '../terminal.js';

const maxReasonLength = 500;

export async function erase(call: DatabaseCall): Promise<ExitCode> {
  const [subject] = call.positionals;
  if (subject === undefined || subject === '') throw new UsageError('No subject given. Pass the id of the person.');
  const reason = call.options.text('reason')?.trim() ?? '';
  if (reason === '' || reason.length > maxReasonLength)
    throw new UsageError(`Pass --reason "…" with 1 to ${maxReasonLength} characters. The reason is recorded.`);
  await requireKnown(subject, call);
  return await requestOperation(call, {
    kind: OperationKind.EraseSubject,
    target: subject,
    arguments: { reason },
    isAlone: true,
    cancelled: 'Cancelled. The key may be destroyed already; run the command again to complete the erasure.',
    done: ({ result }) => {
      const { events, perspectives } = result as EraseResult;
      const models = perspectives.length === 0 ? 'no models' : `the models of ${perspectives.join(', ')}`;
      const erased = `personal data in ${counted(events, 'event')} is now null`;
      return { text: `Erased ${printable(subject)}: ${erased}, and ${models} were rebuilt.` };
    },
  });
}

/** A host would do nothing, and report success. A subject whose key was destroyed is known: its erasure can be completed. */
async function requireKnown(subject: string, { database, options }: DatabaseCall): Promise<void> {
  requester(options.text('as'));
  await requireCurrentSchema(database);
  if (await database.storage.subjectKeys.hasKey(subject)) return;
  throw new NotFound(
    `${database.where} has no personal data of ${printable(subject)}: this subject has never had a key. Nothing was erased. Check the id.`,
  );
}
