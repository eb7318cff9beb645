import { pageBounds, type PerspectiveQuery } from '@svc/core';
import type { JsonSchema, Operation, Parameter, PathItem, Response } from './openapi-types.js';

/** The two operations of each perspective with a route, by path. */
export function queryPaths(
  queries: readonly PerspectiveQuery[],
  models: Readonly<Record<string, JsonSchema>>,
  problemRef: string,
): Readonly<Record<string, PathItem>> {
  const entries = queries.flatMap(({ name, access: { route } }): [string, PathItem][] => {
    if (route === null) return [];
    const model = models[name] ?? {};
    return [
      [route, { get: list(name, model) }],
      [`${route}/{id}`, { get: one(name, model, problemRef) }],
    ];
  });
  return Object.fromEntries(entries);
}

/** Keys are any text; without a `keyOf` they are ids of streams. */
const exampleId = '01912d68-783e-7a03-8467-5661c1243ad4';

function list(name: string, model: JsonSchema): Operation {
  return {
    operationId: `list${name}`,
    summary: `A page of ${name}`,
    parameters: [parameter('page'), parameter('pageSize')],
    responses: { '200': json('Models in the order of their ids.', pageOf(model)) },
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
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', examples: [exampleId] } }],
    responses: { '200': json('The model.', model), '404': notFound },
  };
}

function parameter(name: keyof typeof pageBounds): Parameter {
  const { usual, most } = pageBounds[name];
  return { name, in: 'query', schema: { type: 'integer', default: usual, minimum: 1, maximum: most } };
}

function pageOf(model: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['items', 'page', 'pageSize', 'hasMore'],
    properties: {
      items: { type: 'array', items: model },
      page: { type: 'integer' },
      pageSize: { type: 'integer' },
      hasMore: { type: 'boolean', description: 'Whether there is another page.' },
    },
  };
}

function json(description: string, schema: JsonSchema): Response {
  return { description, content: { 'application/json': { schema } } };
}
