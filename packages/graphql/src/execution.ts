import { loggedError } from '@svc/core/hosting';
import { traceField } from '@svc/http/hosting';
import type { FastifyInstance } from 'fastify';
import { execute, type ExecutionResult, type GraphQLError } from 'graphql';
import { documentError, FieldError, internalFailure, type CallerError } from './errors/index.js';
import { RecentlyUsed, type PreparedOperation, type Variables } from './operations/index.js';
import { NotExecuted } from './mutation-resolvers.js';
import type { OperationContext, RequestContext } from './request-context.js';
import type { ServiceSchema } from './schema/index.js';

/** The response to an executed operation. */
export interface Answer {
  readonly data: unknown;
  readonly errors?: readonly CallerError[];
}

export type ExecuteOperation = (
  operation: PreparedOperation,
  given: Variables,
  request: RequestContext,
) => Promise<Answer>;

/** How many introspection results are cached, up to twice as many: each can be large. */
const mostSchemaAnswers = 4;

/** Executes prepared operations; Mercurius compiles those that are repeated. */
export function executor(app: FastifyInstance, { published, executed }: ServiceSchema): ExecuteOperation {
  const uses = new WeakMap<PreparedOperation, number>();
  const schemaAnswers = new RecentlyUsed<PreparedOperation, ExecutionResult>(mostSchemaAnswers);

  return async (operation, given, request) => {
    const context: OperationContext = { request, failed: false, resultIsJson: false };
    const variables = operation.variablesOf(given);
    const execution = await executionOf(operation, variables, context);
    // Without data nothing was executed: a variable is invalid.
    if (execution.data === undefined) throw documentError('GRAPHQL_VALIDATION_FAILED', execution.errors ?? []);
    if (execution.errors === undefined) return { data: execution.data };
    return { data: execution.data, errors: callerErrors(execution.errors, request) };
  };

  async function executionOf(
    operation: PreparedOperation,
    variableValues: Variables,
    contextValue: OperationContext,
  ): Promise<ExecutionResult> {
    const { document, isIntrospection, isSchemaOnly, usesBeforeCompilation } = operation;
    if (isSchemaOnly) {
      const known = schemaAnswers.get(operation);
      if (known !== undefined) return known;
      const answer = await execute({ schema: published, document, contextValue });
      schemaAnswers.set(operation, answer);
      return answer;
    }
    const count = (uses.get(operation) ?? 0) + 1;
    // Mercurius clones, validates and caches what it executes: not worth it for a document that is used once.
    if (!isIntrospection && count > usesBeforeCompilation)
      return await compiled(app, document, contextValue, variableValues);
    uses.set(operation, count);
    return await execute({ schema: isIntrospection ? published : executed, document, variableValues, contextValue });
  }
}

async function compiled(
  app: FastifyInstance,
  document: PreparedOperation['document'],
  context: OperationContext,
  variables: Variables,
): Promise<ExecutionResult> {
  try {
    return await app.graphql(document, context as never, variables);
  } catch (error) {
    // How Mercurius reports invalid variables.
    if (error instanceof Error && 'errors' in error && Array.isArray(error.errors)) return { errors: error.errors };
    throw error;
  }
}

function callerErrors(errors: readonly GraphQLError[], request: RequestContext): CallerError[] {
  return errors.flatMap((error) => {
    const { originalError, path } = error;
    if (originalError instanceof NotExecuted) return [];
    const place = path === undefined ? {} : { path };
    if (originalError instanceof FieldError) {
      return [{ message: originalError.message, ...place, extensions: originalError.extensions }];
    }
    // The result does not match its type: the caller cannot fix that.
    const traceId = request.traceIdOf();
    const err = loggedError(originalError ?? error);
    request.log.error({ err, ...traceField(request.id, traceId) }, 'result cannot be serialized');
    const { code, message } = internalFailure;
    return [{ message, ...place, extensions: { code, traceId } }];
  });
}
