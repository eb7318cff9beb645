import { longestIndexedText } from '@svc/core/storage';
import type { JsonSchema, Operation, Parameter } from './openapi-types.js';

/** `/orders/:orderId/cancel` → `/orders/{orderId}/cancel` */
export function documentedPath(route: string): string {
  return route
    .split('/')
    .map((part) => (part.startsWith(':') ? `{${part.slice(1)}}` : part))
    .join('/');
}

/** Adds the limits of path parameters to an operation that has any. */
export function withPathLimits(operation: Operation, problemRef: string): Operation {
  const { parameters = [], responses } = operation;
  if (!parameters.some((parameter) => parameter.in === 'path')) return operation;
  return {
    ...operation,
    parameters: parameters.map(limited),
    responses: {
      ...responses,
      '414': {
        description: 'A part of the path is too long.',
        content: { 'application/problem+json': { schema: { $ref: problemRef } } },
      },
    },
  };
}

function limited(parameter: Parameter): Parameter {
  const { schema } = parameter;
  if (parameter.in !== 'path' || typeof schema === 'boolean' || schema.type !== 'string') return parameter;
  return { ...parameter, schema: { ...schema, ...lengths(schema) } };
}

function lengths({ minLength = 0, maxLength = longestIndexedText }: Exclude<JsonSchema, boolean>): JsonSchema & object {
  return { minLength: Math.max(minLength, 1), maxLength: Math.min(maxLength, longestIndexedText) };
}
