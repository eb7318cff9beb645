import { newKey, remember, setsAsArrays, type Operation } from './commands.js';
import type { Connection } from './connection.js';
import type { GraphQLDocument, RunMutation, RunQuery } from './document-types.js';
import { jsonIn, RequestError } from './errors.js';
import { failureIn, resultOfDocument, type GraphQLAnswer } from './graphql-errors.js';
import type { RequestHeaders } from './options.js';
import { readsAfterCommands, type AfterCommands } from './reads.js';
import { attempt, sendOnce, type Outgoing } from './send.js';

/** The operation that runs GraphQL queries. They wait for the effects of earlier commands of the client. */
export const query: Operation<RunQuery> = (connection) => {
  const readsOfDocuments = new WeakMap<object, AfterCommands>();
  return async (document, ...[variables, options = {}]) => {
    const { signal, waitSeconds } = options;
    const get = (event?: string) =>
      sendDocument(
        connection,
        document,
        event === undefined ? variables : { ...variables, svcAfterEvent: event, svcWaitSeconds: waitSeconds },
        { headers: {}, signal, isRepeatable: true },
      );
    if (!document.isWaiting) return await get();
    let afterCommands = readsOfDocuments.get(document);
    if (afterCommands === undefined) readsOfDocuments.set(document, (afterCommands = readsAfterCommands(connection)));
    return await afterCommands(options, get, get);
  };
};

/** The operation that runs GraphQL mutations. */
export const mutate: Operation<RunMutation> =
  (connection) =>
  async (document, ...[variables, options = {}]) => {
    const { signal, idempotencyKey = document.isOneCommand ? newKey() : false } = options;
    const isRepeatable = idempotencyKey !== false;
    const headers: RequestHeaders = isRepeatable ? { 'idempotency-key': idempotencyKey } : {};
    const started = connection.clock++;
    return await sendDocument(connection, document, variables, { headers, signal, isRepeatable }, (received) =>
      remember(connection, started, received),
    );
  };

async function sendDocument<TResult>(
  connection: Connection,
  document: GraphQLDocument<TResult, never>,
  variables: unknown,
  { headers, signal, isRepeatable }: Pick<Outgoing, 'headers' | 'signal' | 'isRepeatable'>,
  received?: (headers: Headers) => void,
): Promise<TResult> {
  const request: Outgoing = {
    method: 'POST',
    path: connection.options.graphQLPath ?? '/graphql',
    headers: { ...headers, ...documentHeaders },
    body: JSON.stringify({ query: document.text, variables }, setsAsArrays),
    signal,
    isRepeatable,
    failure: ({ status, headers: sent }, text) => failureIn(request, document, jsonIn(text), status, sent),
  };
  const outcome = await attempt(connection, request, async (token) => {
    const { json, headers: sent } = await sendOnce(connection, request, token);
    received?.(sent);
    const failure = failureIn(request, document, json as GraphQLAnswer, 200, sent);
    // A part of the operation may have run: without an idempotency key it must not run again.
    if (failure !== undefined && isRepeatable) throw failure;
    return failure ?? { result: resultOfDocument(document, json as GraphQLAnswer) };
  });
  if (outcome instanceof RequestError) throw outcome;
  return outcome.result;
}

const documentHeaders: RequestHeaders = {
  'content-type': 'application/json',
  accept: 'application/graphql-response+json, application/json;q=0.9',
};
