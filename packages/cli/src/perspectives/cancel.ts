import { OperatorActionKind } from '@svc/core/hosting';
import { OperationState } from '@svc/core/storage';
import { Refusal, UsageError } from '../database/failures.js';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/subcommands.js';
import { answerOf, waitOf } from '../operations/ask.js';
import { follow, hasEnded } from '../operations/follow.js';
import { recorderOf } from '../operations/recorder.js';
import { ExitCode } from '../terminal.js';

/** Cancels a request, records who did, and waits for its end. */
export async function cancel(call: DatabaseCall): Promise<ExitCode> {
  const { database, positionals, json, terminal } = call;
  const [text] = positionals;
  if (text === undefined) throw new UsageError('Which request? svc perspectives list shows them.');
  const id = idOf('A request', text);
  const waitMs = waitOf(call);
  const recorded = await recorderOf(call);
  const { operations } = database.storage;
  const before = await operations.find(id);
  if (before === null) throw new Refusal(`There is no request ${id} in ${database.where}.`);
  if (hasEnded(before)) throw new Refusal(`The request ${id} has ended already: ${before.state}.`);
  const action = { kind: OperatorActionKind.CancelRequest, target: before.target, arguments: { request: id } };
  await recorded(action, () => operations.cancel(id));
  const signal = new AbortController().signal;
  const operation = await follow(id, { database, terminal, quiet: true, waitMs, signal, detach: false });
  if (json) terminal.out(JSON.stringify(answerOf(operation), null, 2));
  else terminal.out(`The request ${id} has ended: ${operation.state}.`);
  return operation.state === OperationState.Cancelled ? ExitCode.ok : ExitCode.failed;
}
