import { newId } from '@svc/core';
import { type OperationKind } from '@svc/core/hosting';
import { OperationState, type OperationRecord } from '@svc/core/storage';
import { Refusal } from '../database/failures.js';
import type { DatabaseCall } from '../database/subcommands.js';
import { interruptible } from '../interruption.js';
import { printable } from '../printable.js';
import { ExitCode } from '../terminal.js';
import { requireCurrentSchema } from './current-schema.js';
import { follow } from './follow.js';
import { requester } from './requester.js';

const defaultWaitSeconds = 15;

/** What every command has that asks for something. */
export const askingOptions = { as: { type: 'string' }, wait: { type: 'string' } } as const;

export interface Asked {
  readonly kind: OperationKind;
  readonly target: string | null;
  readonly arguments: object;
  /** Whether it is refused while another of its kind is open for the same target. */
  readonly isAlone?: boolean;
  readonly detach?: boolean;
  /** What to say of it when it is done, and what to end with. */
  readonly done: (operation: OperationRecord) => { readonly text: string; readonly exitCode?: ExitCode };
  /** What to say when it was cancelled. */
  readonly cancelled?: string;
}

/** Asks the running service for something, shows how it goes, and says what came of it. */
export async function ask(call: DatabaseCall, asked: Asked): Promise<ExitCode> {
  const { database, options, json, terminal } = call;
  const requestedBy = requester(options.text('as'));
  const waitMs = waitOf(call);
  await requireCurrentSchema(database);
  const id = newId();
  const { kind, target, isAlone = false, detach = false } = asked;
  const request = { id, kind, target, arguments: { ...asked.arguments }, requestedBy };
  const inTheWay = await database.storage.operations.ask(request, { waitMs, isAlone });
  if (inTheWay !== null) throw openAlready(inTheWay);
  const operation = await interruptible((signal) =>
    follow(id, { database, terminal, quiet: json, waitMs, signal, detach }),
  );
  if (json && operation.state !== OperationState.Expired) terminal.out(JSON.stringify(answerOf(operation), null, 2));
  switch (operation.state) {
    case OperationState.Done: {
      const { text, exitCode = ExitCode.ok } = asked.done(operation);
      if (!json) terminal.out(text);
      return exitCode;
    }
    case OperationState.Failed:
      if (!json) terminal.error(printable(operation.error ?? 'It failed.'));
      return ExitCode.failed;
    case OperationState.Cancelled:
      if (!json) terminal.error(asked.cancelled ?? 'Cancelled.');
      return ExitCode.interrupted;
    case OperationState.Expired:
      throw nobodyThere(call, asked, waitMs);
    default:
      if (!json) terminal.out(`A host has taken it: ${id}. svc perspectives cancel ${id} ends it.`);
      return ExitCode.ok;
  }
}

/** How long to wait for a host. */
export function waitOf({ options }: DatabaseCall): number {
  return (options.number('wait') ?? defaultWaitSeconds) * 1000;
}

/** An operation as machines are told of it. */
export function answerOf({ id, kind, target, state, requestedBy, attempts, ...rest }: OperationRecord): object {
  const { requestedAt, startedAt, finishedAt, progress, result, error } = rest;
  return {
    id,
    kind,
    target,
    state,
    requestedBy,
    attempts,
    requestedAt: new Date(requestedAt).toISOString(),
    durationMs: startedAt === null || finishedAt === null ? null : finishedAt - startedAt,
    progress,
    result,
    error,
  };
}

function openAlready({ id, kind, target, requestedBy }: OperationRecord): Refusal {
  return new Refusal(
    `${kind} of ${target} was asked for already, by ${printable(requestedBy)}: ${id}. Wait for its end, or say svc perspectives cancel ${id}.`,
  );
}

function nobodyThere({ database: { where } }: DatabaseCall, { target }: Asked, waitMs: number): Refusal {
  const whose = target === null ? '' : ` that has ${target}`;
  return new Refusal(
    `No host took it within ${waitMs / 1000} s, and none will: the request is withdrawn. Is a service${whose} running on ${where}, of this version or a later one?`,
    ExitCode.unreachable,
  );
}
