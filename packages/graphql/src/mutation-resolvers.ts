import { ValidationError, type Service } from '@svc/core';
import {
  commandGate,
  runAs,
  type AccessControl,
  type IdempotentRequests,
  type KeyedRequest,
  type ReadyEndpoint,
} from '@svc/core/hosting';
import { Issues, type PrepareInput } from '@svc/core/json';
import type { HttpRequest } from '@svc/http/hosting';
import { getNamedType, isNonNullType, type GraphQLField } from 'graphql';
import { fieldFailure } from './field-failure.js';
import { argumentValue } from './operations/index.js';
import type { RequestContext } from './request-context.js';
import type { ResolverOf } from './schema/index.js';

/** Thrown for a mutation that is not executed because a previous one failed; callers see only the first error. */
export class NotExecuted extends Error {
  override readonly name = 'NotExecuted';
}

/** The resolver of each mutation, by its name. */
export function mutationResolvers<TServices extends object>({
  endpoints,
  registry,
  access,
  idempotentRequests,
}: Service<TServices>): ReadonlyMap<string, ResolverOf> {
  const resolvers = new Map<string, ResolverOf>();
  for (const endpoint of endpoints) {
    const { graphQLMutation: name } = endpoint;
    if (name === null || name === '') continue;
    const input = registry.graphql?.inputs[name];
    resolvers.set(name, (field) => mutationResolver(endpoint, field, input, access, idempotentRequests));
  }
  return resolvers;
}

/** Executes a mutation: reads its argument and passes it to the endpoint, which REST uses as well. */
function mutationResolver(
  ready: ReadyEndpoint,
  field: GraphQLField<unknown, unknown>,
  prepare: PrepareInput | undefined,
  access: AccessControl,
  idempotent: IdempotentRequests,
): ReturnType<ResolverOf> {
  const { endpoint, readRequest, writeResult } = ready;
  const gate = commandGate(ready, access);
  const argument = field.args[0]!.name;
  const resultName = getNamedType(field.type).name;
  const endsOperation = isNonNullType(field.type);

  return async (_root, args, context) => {
    // Graphql-js stops here, but its compiled form does not.
    if (context.failed) throw new NotExecuted();
    const { request } = context;
    try {
      const result = await (access.isOpen ? handle(args, request) : handleAsCaller(args, request));
      if (resultName === 'Void') return null;
      context.resultIsJson = request.idempotencyKey !== undefined;
      return resultName !== 'JSON' || context.resultIsJson ? result : JSON.parse(writeResult(result));
    } catch (error) {
      if (endsOperation) context.failed = true;
      throw fieldFailure(error, 'mutation', request);
    }
  };

  function handle(args: Record<string, unknown>, request: RequestContext): Promise<unknown> {
    const { body, http, idempotencyKey: key } = request;
    const issues = new Issues(body);
    const given = argumentValue(args[argument]);
    const json = prepare === undefined ? given : prepare(given, issues);
    if (key === undefined) return endpoint.handle(read(json, issues), http);
    const sent = copyOf(json);
    return handleOnce({ key, sent, message: read(json, issues) }, http);
  }

  /** Returns the stored result, also the first time, so that every response is computed from the same text. */
  async function handleOnce(request: KeyedRequest, http: HttpRequest): Promise<unknown> {
    const { text } = await idempotent.handle(ready, request, http);
    return JSON.parse(text);
  }

  /** Rejects an unauthorized caller before the argument is read. */
  async function handleAsCaller(args: Record<string, unknown>, request: RequestContext): Promise<unknown> {
    const { denials } = request;
    const caller = await denials.countingInTurn(() => access.admit(request.caller, { ...gate, within: request }));
    return await runAs(caller, () => denials.counting(() => handle(args, request)));
  }

  function read(json: unknown, issues: Issues): object {
    const message = issues.count === 0 ? readRequest(json, issues) : undefined;
    if (message === undefined || issues.count > 0) throw new ValidationError(issues.list);
    return message;
  }
}

/** A copy of the argument as sent: reading may change it. */
function copyOf(json: unknown): unknown {
  try {
    return structuredClone(json);
  } catch (error) {
    // Parsing does not use the call stack, but copying does. No reader accepts a value nested this deeply.
    if (!(error instanceof RangeError)) throw error;
    throw new ValidationError([{ pointer: '', detail: 'is nested too deeply' }]);
  }
}
