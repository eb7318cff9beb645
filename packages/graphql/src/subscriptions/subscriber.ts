import type { AccessControl } from '@svc/core/hosting';
import {
  LiveLimitError,
  openLive,
  type HostReply,
  type HostRequest,
  type LiveConnections,
  type LiveStream,
} from '@svc/http/hosting';
import { getArgumentValues, getVariableValues, GraphQLError, type GraphQLField } from 'graphql';
import { documentError, requestError, type FieldError } from '../errors/index.js';
import type { Answer, Executor } from '../execution.js';
import { fieldFailure } from '../field-failure.js';
import type { PreparedOperation, PreparedSubscription, Variables } from '../operations/index.js';
import type { Arguments } from '../query-arguments.js';
import type { RequestContext } from '../request-context.js';
import type { ServiceSchema } from '../schema/index.js';
import { StepResults } from './step-results.js';

/** A request with a subscription. */
export interface SubscriptionRequest {
  readonly operation: PreparedOperation & { readonly subscription: PreparedSubscription };
  readonly variables: Variables;
  readonly request: HostRequest;
  readonly reply: HostReply;
  readonly context: RequestContext;
}

/** Opens a subscription. Returns the body of the response, or its only result. */
export type Subscribe = (sent: SubscriptionRequest) => Promise<LiveStream | '' | Answer>;

/** Opens subscriptions as live queries of the host, within its limits. */
export function subscriber(
  { executed, subscriptions }: ServiceSchema,
  { executeStep }: Executor,
  access: AccessControl,
  connections: LiveConnections,
): Subscribe {
  const results = new StepResults(executeStep);

  return async ({ operation, variables, request, reply, context }) => {
    const { subscription } = operation;
    const { name, alias = name } = subscription.field;
    const { field, source } = subscriptions.get(name.value)!;
    const given = operation.variablesOf(variables);
    const args = argumentsOf(field, subscription, given);
    try {
      const body = await openLive(connections, access, {
        request,
        reply,
        query: source.query,
        caller: context.caller,
        key: source.keyOf(args),
        begin: () => source.watch(args, context),
        bytesOf: results.writer(subscription, selected(given, subscription), context),
      });
      return body ?? { data: { [alias.value]: null } };
    } catch (error) {
      if (error instanceof LiveLimitError) throw error;
      return failure(fieldFailure(error, 'subscription', context), alias.value);
    }
  };

  function argumentsOf(
    field: GraphQLField<unknown, unknown>,
    subscription: PreparedSubscription,
    given: Variables,
  ): Arguments {
    const { coerced, errors } = getVariableValues(executed, subscription.variables, given, { maxErrors: 20 });
    if (errors !== undefined) throw documentError('GRAPHQL_VALIDATION_FAILED', errors);
    try {
      return getArgumentValues(field, subscription.field, coerced);
    } catch (error) {
      if (error instanceof GraphQLError) throw documentError('GRAPHQL_VALIDATION_FAILED', [error]);
      throw error;
    }
  }
}

/** The variables of the selection. The others may be large, and a connection lasts. */
function selected(given: Variables, { stepVariables }: PreparedSubscription): Variables {
  return Object.fromEntries(
    stepVariables.flatMap((name) => (Object.hasOwn(given, name) ? [[name, given[name]] as const] : [])),
  );
}

/** Clients repeat a request with an error status, so only a failure that can be over soon has one. */
function failure({ message, extensions }: FieldError, field: string): Answer {
  if (extensions.code === 'UNAVAILABLE') throw requestError(503, extensions.code, message);
  return { errors: [{ message, path: [field], extensions }] };
}
