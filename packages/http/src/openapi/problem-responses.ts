import { problemTypes, problemUrn, type ProblemName } from '../problems/index.js';
import type { Header, JsonSchema, Response } from './openapi-types.js';
import { acceptEncoding, retryAfter, wwwAuthenticate } from './response-headers.js';

interface DocumentedProblems {
  readonly name: string;
  readonly status: string;
  readonly problems: readonly ProblemName[];
  readonly headers?: Readonly<Record<string, Header>>;
}

/** The problems that every command can return, by status. */
const documented: readonly DocumentedProblems[] = [
  { name: 'BadRequest', status: '400', problems: ['invalid-request', 'malformed-json', 'bad-request'] },
  {
    name: 'Conflict',
    status: '409',
    problems: ['concurrency-conflict', 'idempotency-key-in-use'],
    headers: retryAfter,
  },
  { name: 'ContentTooLarge', status: '413', problems: ['content-too-large'] },
  { name: 'UnsupportedMediaType', status: '415', problems: ['unsupported-media-type'], headers: acceptEncoding },
  { name: 'CommandRejected', status: '422', problems: ['command-rejected', 'idempotency-key-reused'] },
  { name: 'InternalError', status: '500', problems: ['internal-error'] },
];

export const problemSchema: JsonSchema = {
  type: 'object',
  description: 'An error response (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'instance', 'traceId'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'Identifies the kind of problem.' },
    title: { type: 'string', description: 'The kind of problem in words.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'Why the request failed.' },
    instance: { type: 'string', description: 'The path of the request.' },
    traceId: {
      type: 'string',
      pattern: '^[0-9a-f]{32}$',
      description: 'The id of the request in the log of the service.',
    },
    reason: { type: 'string', description: 'The business rule that rejected a command, if it has a name.' },
    errors: {
      type: 'array',
      description: 'Every error of an invalid body.',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'Where: a JSON Pointer, empty for the whole body.' },
          detail: { type: 'string', description: 'What.' },
        },
      },
    },
  },
};

/** The additional problems of operations in a service with authentication. */
const accessProblems: readonly DocumentedProblems[] = [
  { name: 'Unauthenticated', status: '401', problems: ['unauthenticated'], headers: wwwAuthenticate },
  { name: 'Forbidden', status: '403', problems: ['forbidden'], headers: wwwAuthenticate },
];

/** The responses about authentication and authorization, by name. */
export function accessResponses(schemaRef: string): Record<string, Response> {
  return Object.fromEntries(accessProblems.map((documents) => [documents.name, responseOf(documents, schemaRef)]));
}

function responseOf({ problems, headers }: DocumentedProblems, schemaRef: string): Response {
  return {
    description: problems.map(describe).join('\n\n'),
    ...(headers !== undefined && { headers }),
    content: { 'application/problem+json': { schema: { $ref: schemaRef } } },
  };
}

export function problemResponses(schemaRef: string): readonly { name: string; status: string; response: Response }[] {
  const content = { 'application/problem+json': { schema: { $ref: schemaRef } } };
  return [
    ...documented.map((documents) => ({
      name: documents.name,
      status: documents.status,
      response: responseOf(documents, schemaRef),
    })),
    {
      name: 'Problem',
      status: 'default',
      response: { description: 'Any other problem.', headers: retryAfter, content },
    },
  ];
}

function describe(name: ProblemName): string {
  return `\`${problemUrn(name)}\`: ${problemTypes[name].meaning}`;
}
