import { isObject } from '@svc/core/json';
import { requestError } from '../errors/index.js';
import { parseUntrusted } from './untrusted-json.js';

/** One operation as a client sends it. */
export interface GraphQLRequest {
  readonly query: string | null;
  /** The id of a persisted operation, as GraphQL over HTTP's persisted documents send it. */
  readonly documentId: string | null;
  /** The hash that Apollo's clients send instead of a document, or with it. */
  readonly sha256Hash: string | null;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

const noVariables: GraphQLRequest['variables'] = Object.freeze({});

/** Reads one operation of a body; throws a `RequestError` if it is invalid. */
export function readRequest(body: unknown): GraphQLRequest {
  if (!isObject(body))
    throw requestError(400, 'BAD_REQUEST', 'The body must be an object with a query, or an array of them.');
  const { query } = body;
  const extensions = objectOrNull(body['extensions'], 'extensions');
  return {
    query: textOrNull(query, 'query'),
    documentId: textOrNull(body['documentId'], 'documentId'),
    sha256Hash: hashIn(extensions),
    operationName: textOrNull(body['operationName'], 'operationName'),
    variables: objectOrNull(body['variables'], 'variables') ?? noVariables,
  };
}

/** Reads the parameters of a GET request: `variables` and `extensions` are JSON. */
export function readParameters(parameters: Readonly<Record<string, unknown>>): GraphQLRequest {
  const objects = Object.fromEntries(
    (['variables', 'extensions'] as const).map((name) => {
      const text = textOrNull(parameters[name], name);
      return [name, text === null ? undefined : parseUntrusted(text)];
    }),
  );
  return readRequest({ ...parameters, ...objects });
}

function hashIn(extensions: Readonly<Record<string, unknown>> | null): string | null {
  const persisted = extensions?.['persistedQuery'];
  return isObject(persisted) ? textOrNull(persisted['sha256Hash'], 'sha256Hash') : null;
}

function objectOrNull(value: unknown, name: string): Readonly<Record<string, unknown>> | null {
  if (value === undefined || value === null) return null;
  if (!isObject(value)) throw requestError(400, 'BAD_REQUEST', `${name} must be an object.`);
  return value;
}

function textOrNull(value: unknown, name: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw requestError(400, 'BAD_REQUEST', `${name} must be a string.`);
  return value === '' ? null : value;
}
