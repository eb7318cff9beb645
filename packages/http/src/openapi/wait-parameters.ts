import { waitBounds } from '@svc/core/hosting';
import type { Parameter, Response } from './openapi-types.js';
import { preferenceApplied, retryAfter } from './response-headers.js';

const { usualSeconds, mostSeconds } = waitBounds;

/** The parameters for reading your own writes. */
export const waitParameters: readonly Parameter[] = [
  {
    name: 'afterEvent',
    in: 'query',
    description:
      'Responds after the perspective has processed this event: the Svc-Last-Event of the response to a command.',
    schema: { type: 'string', format: 'uuid' },
  },
  {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: `How long to wait for afterEvent: wait=<seconds>, at most ${mostSeconds}, default ${usualSeconds} (RFC 7240).`,
    schema: { type: 'string', examples: [`wait=${usualSeconds}`] },
  },
];

export function notProcessed(problemRef: string): Response {
  return {
    description: 'The models do not include the effects of afterEvent within the wait time; repeat the request.',
    headers: { ...retryAfter, ...preferenceApplied },
    content: { 'application/problem+json': { schema: { $ref: problemRef } } },
  };
}
