import { isObject } from '@svc/core/json';
import { requestError } from '../errors/index.js';

/** One operation as a client sends it. */
export interface GraphQLRequest {
  readonly query: string | null;
  /** The id of a persisted operation. */
  readonly id: string | null;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

const noVariables: GraphQLRequest['variables'] = Object.freeze({});

/** Reads one operation of a body; throws a `RequestError` if it is invalid. */
export function readRequest(body: unknown): GraphQLRequest {
  if (!isObject(body))
    throw requestError(400, 'BAD_REQUEST', 'The body must be an object with a query, or an array of them.');
  const { query, variables } = body;
  if (variables !== undefined && variables !== null && !isObject(variables)) {
    throw requestError(400, 'BAD_REQUEST', 'variables must be an object.');
  }
  return {
    query: textOrNull(query, 'query'),
    id: idOf(body),
    operationName: textOrNull(body['operationName'], 'operationName'),
    variables: variables ?? noVariables,
  };
}

/** The `documentId` of GraphQL over HTTP's persisted documents, or the hash that Apollo's clients send. */
function idOf({ documentId, extensions }: Record<string, unknown>): string | null {
  const id = textOrNull(documentId, 'documentId');
  if (id !== null || !isObject(extensions) || !isObject(extensions['persistedQuery'])) return id;
  return textOrNull(extensions['persistedQuery']['sha256Hash'], 'sha256Hash');
}

function textOrNull(value: unknown, name: string): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw requestError(400, 'BAD_REQUEST', `${name} must be a string.`);
  return value === '' ? null : value;
}
