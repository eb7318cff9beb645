import type { Header, Operation, Response } from './openapi-types.js';

/** On problems after which the same request can succeed. */
export const retryAfter: Readonly<Record<string, Header>> = {
  'Retry-After': {
    description: 'After how many seconds to repeat the request.',
    schema: { type: 'integer', minimum: 0 },
  },
};

/** On 401 and 403. */
export const wwwAuthenticate: Readonly<Record<string, Header>> = {
  'WWW-Authenticate': {
    description: 'How to authenticate, or what the credential lacks (RFC 9110, RFC 6750).',
    schema: { type: 'string' },
  },
};

/** On 415. */
export const acceptEncoding: Readonly<Record<string, Header>> = {
  'Accept-Encoding': {
    description: 'The known encodings, if the body has another one.',
    schema: { type: 'string', examples: ['gzip, deflate, br'] },
  },
};

/** On responses to queries that wait for an event. */
export const preferenceApplied: Readonly<Record<string, Header>> = {
  'Preference-Applied': {
    description: 'Present if the request has afterEvent and Prefer: how long the service waits at most (RFC 7240).',
    schema: { type: 'string', examples: ['wait=5'] },
  },
};

const ofCommands: Readonly<Record<string, Header>> = {
  'Svc-Last-Event': {
    description: 'The last event of the command. Pass it as afterEvent to read its effects. Absent if there is none.',
    schema: { type: 'string', format: 'uuid' },
  },
  'Idempotency-Replayed': {
    description: 'Present if this is the response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
};

/** Adds the headers of successful commands. */
export function withCommandHeaders(operation: Operation): Operation {
  const responses = Object.entries(operation.responses).map(([status, response]) =>
    status.startsWith('2') && !('$ref' in response)
      ? [status, { ...response, headers: ofCommands } satisfies Response]
      : [status, response],
  );
  return { ...operation, responses: Object.fromEntries(responses) as Operation['responses'] };
}
