import { loggedError } from '@svc/core/hosting';
import { traceField } from '@svc/http/hosting';
import { execute, type ExecutionResult, type GraphQLError, type GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { documentError, FieldError, internalFailure, type CallerError } from './errors/index.js';
import { RecentlyUsed, type Executable, type PreparedOperation, type Variables } from './operations/index.js';
import { NotExecuted } from './mutation-resolvers.js';
import type { OperationContext, RequestContext } from './request-context.js';
import type { ServiceSchema } from './schema/index.js';

/** The response to an executed operation. */
export interface Answer {
  /** Undefined: nothing was executed. */
  readonly data?: unknown;
  readonly errors?: readonly CallerError[];
}

export interface Executor {
  readonly execute: (operation: PreparedOperation, given: Variables, request: RequestContext) => Promise<Answer>;
  /** Executes the selection of a subscription. `root` has the value of its field. */
  readonly executeStep: (
    step: Executable,
    variables: Variables,
    request: RequestContext,
    root: object,
  ) => Promise<Answer>;
}

/** How many introspection results are cached, up to twice as many: each can be large. */
const mostSchemaAnswers = 4;

/** Executes prepared operations, and compiles those that are repeated. */
export function executor({ published, executed }: ServiceSchema): Executor {
  const uses = new WeakMap<Executable, number>();
  const compilations = new WeakMap<Executable, CompiledQuery>();
  const schemaAnswers = new RecentlyUsed<Executable, ExecutionResult>(mostSchemaAnswers);

  return {
    execute: (operation, given, request) => run(operation, operation.variablesOf(given), request),
    executeStep: run,
  };

  async function run(
    operation: Executable,
    variables: Variables,
    request: RequestContext,
    root?: object,
  ): Promise<Answer> {
    const context: OperationContext = { request, failed: false, resultIsJson: false };
    const execution = await executionOf(operation, variables, context, root);
    // Without data nothing was executed: a variable is invalid.
    if (execution.data === undefined) throw documentError('GRAPHQL_VALIDATION_FAILED', execution.errors ?? []);
    if (execution.errors === undefined) return { data: execution.data };
    return { data: execution.data, errors: callerErrors(execution.errors, request) };
  }

  async function executionOf(
    operation: Executable,
    variableValues: Variables,
    contextValue: OperationContext,
    rootValue: object | undefined,
  ): Promise<ExecutionResult> {
    const { document, isIntrospection, isSchemaOnly, usesBeforeCompilation } = operation;
    if (isSchemaOnly) {
      const known = schemaAnswers.get(operation);
      if (known !== undefined) return known;
      const answer = await execute({ schema: published, document, contextValue });
      schemaAnswers.set(operation, answer);
      return answer;
    }
    if (isIntrospection) return await execute({ schema: published, document, variableValues, contextValue });
    const known = compilations.get(operation);
    if (known !== undefined) return await known.query(rootValue, contextValue, variableValues);
    const count = (uses.get(operation) ?? 0) + 1;
    uses.set(operation, count);
    if (count <= usesBeforeCompilation) {
      return await execute({ schema: executed, document, rootValue, variableValues, contextValue });
    }
    const compiled = compile(executed, document);
    compilations.set(operation, compiled);
    return await compiled.query(rootValue, contextValue, variableValues);
  }
}

function compile(schema: GraphQLSchema, document: Executable['document']): CompiledQuery {
  // Its errors are those of callers, whose stacks nobody reads.
  const compiled = compileQuery(schema, document, undefined, { disablingCapturingStackErrors: true });
  if (isCompiledQuery(compiled)) return compiled;
  throw new AggregateError(compiled.errors ?? [], 'A valid document cannot be compiled.');
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
