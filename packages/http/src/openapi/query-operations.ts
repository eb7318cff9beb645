import { pageBounds, type PerspectiveQuery } from '@svc/core/hosting';
import type { PerspectiveColumn } from '@svc/core/storage';
import { notProcessed, waitParameters } from './wait-parameters.js';
import { indexedText, listParameters } from './list-parameters.js';
import { preferenceApplied } from './response-headers.js';
import type { JsonSchema, Operation, Parameter, PathItem, Response } from './openapi-types.js';

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

/** Keys are any string; without a `keyOf` they are stream ids. */
const exampleId = '01912d68-783e-7a03-8467-5661c1243ad4';

function list(name: string, columns: readonly PerspectiveColumn[], model: JsonSchema, problemRef: string): Operation {
  return {
    operationId: `list${name}`,
    summary: `A page of ${name}`,
    description: 'The models that the caller may see. Without a sort they are in the order of their keys.',
    parameters: [parameter('page'), parameter('pageSize'), ...listParameters(columns), ...waitParameters],
    responses: {
      '200': json('The selected models, in the requested order.', pageOf(model)),
      '400': invalid(problemRef),
      '503': notProcessed(problemRef),
    },
  };
}

function one(name: string, model: JsonSchema, problemRef: string): Operation {
  const notFound: Response = {
    description: 'No model has this id, or the caller may not see it.',
    headers: preferenceApplied,
    content: { 'application/problem+json': { schema: { $ref: problemRef } } },
  };
  return {
    operationId: `get${name}`,
    summary: `One of ${name}`,
    description: 'The model with this key. One that the caller may not see does not exist.',
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        schema: { ...indexedText, examples: [exampleId] },
      },
      ...waitParameters,
    ],
    responses: {
      '200': json('The model.', model),
      '400': invalid(problemRef),
      '404': notFound,
      '414': {
        description: 'The id is too long.',
        content: { 'application/problem+json': { schema: { $ref: problemRef } } },
      },
      '503': notProcessed(problemRef),
    },
  };
}

function invalid(problemRef: string): Response {
  return {
    description: 'A parameter is unknown or invalid.',
    headers: preferenceApplied,
    content: { 'application/problem+json': { schema: { $ref: problemRef } } },
  };
}

function parameter(name: keyof typeof pageBounds): Parameter {
  const { usual, most } = pageBounds[name];
  return { name, in: 'query', schema: { type: 'integer', default: usual, minimum: 1, maximum: most } };
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
