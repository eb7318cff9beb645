import { OperatorActionKind } from '@svc/core/hosting';
import { OperationState } from '@svc/core/storage';
import { Rejection, UsageError } from '../failures.js';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { answerOf, waitOf } from '../operations/request-operation.js';
import { follow, hasEnded } from '../operations/follow.js';
import { recorderOf } from '../operations/recorder.js';
import { ExitCode } from '../terminal.js';

/** Cancels a request, records the operator, and waits until it has ended. */
export async function cancel(call: DatabaseCall): Promise<ExitCode> {
  const { database, positionals, json, terminal } = call;
  const [text] = positionals;
  if (text === undefined) throw new UsageError('No request given. Run svc perspectives list to see their ids.');
  const id = idOf('The id of a request', text);
  const waitMs = waitOf(call);
  const recorded = await recorderOf(call);
  const { operations } = database.storage;
  const before = await operations.find(id);
  if (before === null) throw new Rejection(`Request ${id} does not exist in ${database.where}.`);
  if (hasEnded(before)) throw new Rejection(`Request ${id} has already ended: ${before.state}.`);
  const action = { kind: OperatorActionKind.CancelRequest, target: before.target, arguments: { request: id } };
  await recorded(action, () => operations.cancel(id));
  const signal = new AbortController().signal;
  const operation = await follow(id, { database, terminal, quiet: true, waitMs, signal, detach: false });
  if (json) terminal.out(JSON.stringify(answerOf(operation), null, 2));
  else terminal.out(`Request ${id} has ended: ${operation.state}.`);
  return operation.state === OperationState.Cancelled ? ExitCode.ok : ExitCode.failed;
}
