import { newId } from '@svc/core';
import { type OperationKind } from '@svc/core/hosting';
import { OperationState, type OperationRecord } from '@svc/core/storage';
import { Rejection } from '../failures.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { interruptible } from '../interruption.js';
import { printable } from '../printable.js';
import { ExitCode } from '../terminal.js';
import { requireCurrentSchema } from './current-schema.js';
import { follow } from './follow.js';
import { requester } from './requester.js';

export interface OperationRequest {
  readonly kind: OperationKind;
  readonly target: string | null;
  readonly arguments: object;
  /** Whether it is rejected while an operation of the same kind is open for the same target. */
  readonly isAlone?: boolean;
  readonly detach?: boolean;
  /** The text and exit code to end with once the operation is done. */
  readonly done: (operation: OperationRecord) => { readonly text: string; readonly exitCode?: ExitCode };
  /** The text to print if the operation was cancelled. */
  readonly cancelled?: string;
}

/** Requests an operation from the running service, shows its progress and reports its outcome. */
export async function requestOperation(call: DatabaseCall, operationRequest: OperationRequest): Promise<ExitCode> {
  const { database, options, json, terminal } = call;
  const requestedBy = requester(options.text('as'));
  const waitMs = waitOf(call);
  await requireCurrentSchema(database);
  const id = newId();
  const { kind, target, isAlone = false, detach = false } = operationRequest;
  const request = { id, kind, target, arguments: { ...operationRequest.arguments }, requestedBy };
  const open = await database.storage.operations.ask(request, { waitMs, isAlone });
  if (open !== null) throw alreadyRequested(open);
  const operation = await interruptible((signal) =>
    follow(id, { database, terminal, quiet: json, waitMs, signal, detach }),
  );
  if (json && operation.state !== OperationState.Expired) terminal.out(JSON.stringify(answerOf(operation), null, 2));
  switch (operation.state) {
    case OperationState.Done: {
      const { text, exitCode = ExitCode.ok } = operationRequest.done(operation);
      if (!json) terminal.out(text);
      return exitCode;
    }
    case OperationState.Failed:
      if (!json) terminal.error(printable(operation.error ?? 'The operation failed without an error message.'));
      return ExitCode.failed;
    case OperationState.Cancelled:
      if (!json) terminal.error(operationRequest.cancelled ?? 'Cancelled.');
      return ExitCode.interrupted;
    case OperationState.Expired:
      throw noHost(call, operationRequest, waitMs);
    default:
      if (!json) terminal.out(`A host has accepted request ${id}. To cancel it, run svc perspectives cancel ${id}.`);
      return ExitCode.ok;
  }
}

/** How long to wait for a host to accept the request. */
export function waitOf({ options }: DatabaseCall): number {
  return options.number('wait')! * 1000;
}

/** An operation in the JSON output. */
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

function alreadyRequested({ id, kind, target, requestedBy }: OperationRecord): Rejection {
  return new Rejection(
    `${kind} of ${target} is already requested by ${printable(requestedBy)}: ${id}. Wait until it ends, or run svc perspectives cancel ${id}.`,
  );
}

function noHost({ database: { where } }: DatabaseCall, { target }: OperationRequest, waitMs: number): Rejection {
  const withTarget = target === null ? '' : ` with ${target}`;
  return new Rejection(
    `No host accepted the request within ${waitMs / 1000} s; it is withdrawn. Check that a service${withTarget} of this version or a later one is running on ${where}.`,
    ExitCode.unreachable,
  );
}
