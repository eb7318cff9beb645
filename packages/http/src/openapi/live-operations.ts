import type { PerspectiveQuery } from '@svc/core/hosting';
import type { PerspectiveColumn } from '@svc/core/storage';
import { listParameters } from './list-parameters.js';
import type { Operation, Parameter, PathItem, Response } from './openapi-types.js';
import { idParameter, invalidParameter, missingModel, pageParameter } from './query-parts.js';
import { preferenceApplied, retryAfter } from './response-headers.js';
import { waitParameters } from './wait-parameters.js';

/** The two live operations of each perspective with a route, by path. */
export function livePaths(
  queries: readonly PerspectiveQuery[],
  problemRef: string,
): Readonly<Record<string, PathItem>> {
  const entries = queries.flatMap(({ name, columns, access: { route } }): [string, PathItem][] =>
    route === null
      ? []
      : [
          [`${route}/live`, { get: liveList(name, columns, problemRef) }],
          [`${route}/{id}/live`, { get: liveModel(name, problemRef) }],
        ],
  );
  return Object.fromEntries(entries);
}

/** The parameters of a live list in the query. It is a first page, so it has no number and no `after`. */
export function liveListParameters(columns: readonly PerspectiveColumn[]): readonly Parameter[] {
  const fromQuery = waitParameters.filter((parameter) => parameter.in === 'query');
  const selecting = listParameters(columns).filter(({ name }) => name !== 'after');
  return [pageParameter('pageSize'), ...selecting, ...fromQuery];
}

/** The parameters of a live model in the query. */
export const liveModelParameters: readonly Parameter[] = waitParameters.filter(({ in: place }) => place === 'query');

const headerParameters: readonly Parameter[] = [
  ...waitParameters.filter((parameter) => parameter.in === 'header'),
  {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'The id of the last received event: the response continues there. EventSource sends it by itself.',
    schema: { type: 'string' },
  },
];

const events =
  'The response does not end. Its events: page has all models, upsert one that is new or has changed, remove the key of one that left. After a reconnect, keys has the keys of all models, and reset says that a new page follows.';

function liveList(name: string, columns: readonly PerspectiveColumn[], problemRef: string): Operation {
  return {
    operationId: `watch${name}`,
    summary: `The first page of ${name}, and its changes`,
    description: `Server-sent events: the models that the caller may see, then every change. ${events}`,
    parameters: [...liveListParameters(columns), ...headerParameters],
    responses: responses(problemRef, {}),
  };
}

function liveModel(name: string, problemRef: string): Operation {
  return {
    operationId: `watchOne${name}`,
    summary: `One of ${name}, and its changes`,
    description: `Server-sent events: the model with this key, then every change. ${events}`,
    parameters: [idParameter, ...liveModelParameters, ...headerParameters],
    responses: responses(problemRef, missingModel(problemRef)),
  };
}

function responses(problemRef: string, more: Operation['responses']): Operation['responses'] {
  const content = { 'application/problem+json': { schema: { $ref: problemRef } } };
  return {
    '200': eventStream,
    '400': invalidParameter(problemRef),
    ...more,
    '429': { description: 'The caller has too many live connections.', headers: retryAfter, content },
    '503': {
      description:
        'The host has too many live connections, or the models do not include the effects of afterEvent within the wait time; repeat the request.',
      headers: { ...retryAfter, ...preferenceApplied },
      content,
    },
  };
}

const eventStream: Response = {
  description: 'The models, then their changes, until the client disconnects or the service ends the response.',
  headers: {
    ...preferenceApplied,
    'X-Accel-Buffering': {
      description: 'Prevents proxies from buffering events.',
      schema: { type: 'string', const: 'no' },
    },
  },
  content: { 'text/event-stream': { schema: { type: 'string' } } },
};
