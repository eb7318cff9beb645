import {
  loggedError,
  runAs,
  traceField,
  ValidationError,
  type AccessControl,
  type Gate,
  type IdempotentRequests,
  type ReadyEndpoint,
} from '@svc/core';
import { Issues, type PrepareInput } from '@svc/core/json';
import { getNamedType, isNonNullType, type GraphQLField } from 'graphql';
import { callerFailure, CommandError, type CallerFailure } from './errors/index.js';
import type { OperationContext, RequestContext } from './request-context.js';

/** Thrown for a mutation that is not executed because one before it failed; callers are told of the first alone. */
export class NotExecuted extends Error {
  override readonly name = 'NotExecuted';
}

type Resolve = (root: unknown, args: Record<string, unknown>, context: OperationContext) => Promise<unknown>;

/** Executes a mutation: reads its argument, and hands it to the endpoint, which REST uses as well. */
export function mutationResolver(
  ready: ReadyEndpoint,
  field: GraphQLField<unknown, unknown>,
  prepare: PrepareInput | undefined,
  access: AccessControl,
  idempotent: IdempotentRequests,
): Resolve {
  const { endpoint, readRequest, writeResult, requires, allowAnonymous, commandType } = ready;
  const gate: Gate = { requires, allowAnonymous, resourceType: 'command', resourceId: commandType };
  const argument = field.args[0]!.name;
  const resultName = getNamedType(field.type).name;
  const endsOperation = isNonNullType(field.type);

  return async (_root, args, context) => {
    // Graphql-js stops here by itself, its compiled form does not.
    if (context.failed) throw new NotExecuted();
    const { request } = context;
    try {
      const result = await (access.isOpen ? handle(args, request) : handleAsCaller(args, request));
      if (resultName === 'Void') return null;
      const isJson = resultName !== 'JSON' || request.idempotencyKey !== undefined;
      return isJson ? result : JSON.parse(writeResult(result));
    } catch (error) {
      if (endsOperation) context.failed = true;
      throw failureOf(error, request);
    }
  };

  function handle(args: Record<string, unknown>, request: RequestContext): Promise<unknown> {
    const { body, exchange, idempotencyKey } = request;
    const message = read(args[argument], body);
    return idempotencyKey === undefined
      ? endpoint.handle(message, exchange)
      : handleOnce(message, idempotencyKey, exchange);
  }

  /** The result as it is kept under the key, the first time as well: what is asked for of it is answered with the same text. */
  async function handleOnce(message: object, key: string, exchange: RequestContext['exchange']): Promise<unknown> {
    const { text } = await idempotent.handle(ready, message, key, exchange);
    return JSON.parse(text);
  }

  /** Whoever may not is turned away before the argument is looked at. */
  async function handleAsCaller(args: Record<string, unknown>, request: RequestContext): Promise<unknown> {
    const caller = await access.admit(request.caller, gate);
    return await runAs(caller, () => handle(args, request));
  }

  function read(value: unknown, body: unknown): object {
    const issues = new Issues(body);
    const prepared = prepare === undefined ? value : prepare(value, issues);
    const message = issues.count === 0 ? readRequest(prepared, issues) : undefined;
    if (message === undefined || issues.count > 0) throw new ValidationError(issues.list);
    return message;
  }
}

function failureOf(error: unknown, request: RequestContext): CommandError {
  const traceId = request.traceIdOf(error);
  const failure = callerFailure(error);
  report(error, failure, request, traceId);
  return new CommandError(failure, traceId);
}

function report(error: unknown, { code }: CallerFailure, { exchange, log, id }: RequestContext, traceId: string): void {
  const fields = { err: loggedError(error), ...traceField(id, traceId) };
  const isOurs = code === 'INTERNAL_ERROR' || code === 'UNAVAILABLE';
  if (exchange.aborted) {
    // That a command was given up because nobody waits for it any more is nothing to worry about; a failure still is.
    const isAbort = error instanceof Error && error.name === 'AbortError';
    log[isOurs && !isAbort ? 'error' : 'info'](fields, 'the client went away before the answer');
  } else if (isOurs) {
    log.error(fields, 'mutation failed');
  } else {
    log.info({ ...fields, code }, 'mutation refused');
  }
}
