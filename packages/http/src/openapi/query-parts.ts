import { pageBounds } from '@svc/core/hosting';
import { indexedText } from './list-parameters.js';
import type { Parameter, Response } from './openapi-types.js';
import { preferenceApplied } from './response-headers.js';

/** Keys are any string; without a `keyOf` they are stream ids. */
const exampleId = '01912d68-783e-7a03-8467-5661c1243ad4';

/** The key of a model in the path. */
export const idParameter: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { ...indexedText, examples: [exampleId] },
};

/** The number or the size of a page. */
export function pageParameter(name: keyof typeof pageBounds): Parameter {
  const { usual, most } = pageBounds[name];
  return { name, in: 'query', schema: { type: 'integer', default: usual, minimum: 1, maximum: most } };
}

/** The responses to a request for one model that is not there. */
export function missingModel(problemRef: string): Readonly<Record<'404' | '414', Response>> {
  const content = { 'application/problem+json': { schema: { $ref: problemRef } } };
  return {
    '404': {
      description: 'No model has this id, or the caller may not see it.',
      headers: preferenceApplied,
      content,
    },
    '414': { description: 'The id is too long.', content },
  };
}

export function invalidParameter(problemRef: string): Response {
  return {
    description: 'A parameter is unknown or invalid.',
    headers: preferenceApplied,
    content: { 'application/problem+json': { schema: { $ref: problemRef } } },
  };
}
