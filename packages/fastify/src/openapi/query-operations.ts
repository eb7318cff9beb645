import { pageBounds, type PerspectiveQuery } from '@svc/core/hosting';
import { type PerspectiveColumn } from '@svc/core/storage';
import { notTaken, waitParameters } from './wait-parameters.js';
import { listParameters } from './list-parameters.js';
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

/** Keys are any text; without a `keyOf` they are ids of streams. */
const exampleId = '01912d68-783e-7a03-8467-5661c1243ad4';

function list(name: string, columns: readonly PerspectiveColumn[], model: JsonSchema, problemRef: string): Operation {
  const refused: Response = {
    description: 'A parameter is not known, or does not hold what it should.',
    content: { 'application/problem+json': { schema: { $ref: problemRef } } },
  };
  return {
    operationId: `list${name}`,
    summary: `A page of ${name}`,
    parameters: [parameter('page'), parameter('pageSize'), ...listParameters(columns), ...waitParameters],
    responses: {
      '200': json('Models that were asked for, in the order that was asked for.', pageOf(model)),
      '400': refused,
      '503': notTaken(problemRef),
    },
  };
}

function one(name: string, model: JsonSchema, problemRef: string): Operation {
  const notFound: Response = {
    description: 'There is none with this id, or none that the caller may see.',
    content: { 'application/problem+json': { schema: { $ref: problemRef } } },
  };
  return {
    operationId: `get${name}`,
    summary: `One of ${name}`,
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string', examples: [exampleId] } },
      ...waitParameters,
    ],
    responses: { '200': json('The model.', model), '404': notFound, '503': notTaken(problemRef) },
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
      page: { type: 'integer', description: 'Not there when the page was asked for with after.' },
      pageSize: { type: 'integer' },
      hasMore: { type: 'boolean', description: 'Whether there is another page.' },
      next: { type: ['string', 'null'], description: 'What to send as after to get the next page.' },
    },
  };
}

function json(description: string, schema: JsonSchema): Response {
  return { description, content: { 'application/json': { schema } } };
}
