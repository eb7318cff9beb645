import type { PerspectiveQuery } from '@svc/core/hosting';
import type { PerspectiveColumn } from '@svc/core/storage';
import { notProcessed, waitParameters } from './wait-parameters.js';
import { listParameters } from './list-parameters.js';
import { idParameter, invalidParameter, missingModel, pageParameter } from './query-parts.js';
import { preferenceApplied } from './response-headers.js';
import type { JsonSchema, Operation, PathItem, Response } from './openapi-types.js';

/** The two operations of each perspective with a route, by path. */
export function queryPaths(
  queries: readonly PerspectiveQuery[],
  models: Readonly<Record<string, JsonSchema>>,
  problemRef: string,
): Readonly<Record<string, PathItem>> {
  const entries = queries.flatMap(({ name, columns, access: { route } }): [string, PathItem][] => {
    if (route === null) return [];
    const model = models[name] ?? {};
    return [
      [route, { get: list(name, columns, model, problemRef) }],
      [`${route}/{id}`, { get: one(name, model, problemRef) }],
    ];
  });
  return Object.fromEntries(entries);
}

function list(name: string, columns: readonly PerspectiveColumn[], model: JsonSchema, problemRef: string): Operation {
  return {
    operationId: `list${name}`,
    summary: `A page of ${name}`,
    description: 'The models that the caller may see. Without a sort they are in the order of their keys.',
    parameters: [pageParameter('page'), pageParameter('pageSize'), ...listParameters(columns), ...waitParameters],
    responses: {
      '200': json('The selected models, in the requested order.', pageOf(model)),
      '400': invalidParameter(problemRef),
      '503': notProcessed(problemRef),
    },
  };
}

function one(name: string, model: JsonSchema, problemRef: string): Operation {
  return {
    operationId: `get${name}`,
    summary: `One of ${name}`,
    description: 'The model with this key. One that the caller may not see does not exist.',
    parameters: [idParameter, ...waitParameters],
    responses: {
      '200': json('The model.', model),
      '400': invalidParameter(problemRef),
      ...missingModel(problemRef),
      '503': notProcessed(problemRef),
    },
  };
}

function pageOf(model: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['items', 'pageSize', 'hasMore', 'next'],
    properties: {
      items: { type: 'array', items: model },
      page: { type: 'integer', description: 'Absent if the request has after.' },
      pageSize: { type: 'integer' },
      hasMore: { type: 'boolean', description: 'Whether there is another page.' },
      next: { type: ['string', 'null'], description: 'The after of the next page.' },
    },
  };
}

function json(description: string, schema: JsonSchema): Response {
  return { description, headers: preferenceApplied, content: { 'application/json': { schema } } };
}
