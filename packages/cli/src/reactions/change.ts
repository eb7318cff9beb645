/** The changes of operators. Each is recorded, and works without a running service. */
import { OperatorActionKind } from '@svc/core/hosting';
import { counted } from '../counted.js';
import { Rejection, UsageError } from '../failures.js';
import { idOf } from '../database/ids.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { recorderOf } from '../operations/recorder.js';
import { ExitCode } from '../terminal.js';
import { knownReaction } from './known-reaction.js';

export async function retry(call: DatabaseCall): Promise<ExitCode> {
  const text = call.positionals[1];
  const stream = text === undefined ? null : idOf('The stream', text);
  const { name } = await knownReaction(call.positionals[0], call.database);
  const { reactions } = call.database.storage;
  const recorded = await recorderOf(call);
  const given = stream === null ? {} : { stream };
  const action = { kind: OperatorActionKind.RetryReaction, target: name, arguments: given };
  const retried = await recorded(action, async () => {
    const count = await reactions.retry(name, stream);
    if (count === 0 && stream !== null) throw notFailed(name, stream);
    return count;
  });
  const outcome =
    retried === 0 ? `${name} has no failed streams.` : `${name} retries ${counted(retried, 'stream')} now.`;
  return answer(call, { reaction: name, retried }, outcome);
}

export async function skip(call: DatabaseCall): Promise<ExitCode> {
  const text = call.positionals[1];
  if (text === undefined) throw new UsageError('No stream given. Run svc reactions show <name> to see them.');
  const stream = idOf('The stream', text);
  const { name } = await knownReaction(call.positionals[0], call.database);
  const { reactions } = call.database.storage;
  const recorded = await recorderOf(call);
  const action = { kind: OperatorActionKind.SkipReaction, target: name, arguments: { stream } };
  await recorded(action, async () => {
    if (!(await reactions.skip(name, stream))) throw notFailed(name, stream);
  });
  return answer(
    call,
    { reaction: name, skipped: stream },
    `${name} skips the event and continues with the next one of stream ${stream}.`,
  );
}

export function pause(call: DatabaseCall): Promise<ExitCode> {
  return setPaused(call, true);
}

export function resume(call: DatabaseCall): Promise<ExitCode> {
  return setPaused(call, false);
}

async function setPaused(call: DatabaseCall, isPaused: boolean): Promise<ExitCode> {
  const { name, sequence } = await knownReaction(call.positionals[0], call.database);
  const { reactions } = call.database.storage;
  const recorded = await recorderOf(call);
  const kind = isPaused ? OperatorActionKind.PauseReaction : OperatorActionKind.ResumeReaction;
  await recorded({ kind, target: name, arguments: {} }, () => reactions.setPaused(name, isPaused));
  const text = isPaused ? `${name} is paused at place ${sequence}.` : `${name} continues at place ${sequence}.`;
  return answer(call, { reaction: name, isPaused }, text);
}

function answer({ json, terminal }: DatabaseCall, result: object, text: string): ExitCode {
  terminal.out(json ? JSON.stringify(result, null, 2) : text);
  return ExitCode.ok;
}

function notFailed(name: string, stream: string): Rejection {
  return new Rejection(
    `${name} has not failed at stream ${stream}. Run svc reactions show ${name} to see its streams.`,
  );
}
