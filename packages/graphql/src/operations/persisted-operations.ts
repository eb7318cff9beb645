import { requestError } from '../errors/index.js';
import type { PersistedOperations } from '../options.js';
import type { GraphQLRequest } from '../http/graphql-request.js';

/** Finds the text of the requested operation: in the request, or persisted under the id it sends. */
export function textFinder(
  persisted: PersistedOperations | null,
): (request: GraphQLRequest) => string | Promise<string> {
  if (persisted === null) return sentText;
  const { operations, only = true } = persisted;
  const find = typeof operations === 'function' ? operations : (id: string) => inTable(operations, id);
  return (request) => {
    if (request.id !== null) return known(request.id);
    if (only) {
      throw requestError(
        400,
        'PERSISTED_OPERATION_REQUIRED',
        'The service accepts only persisted operations. Send the id of one.',
      );
    }
    return sentText(request);
  };

  async function known(id: string): Promise<string> {
    const text = await find(id);
    if (typeof text === 'string') return text;
    throw requestError(404, 'PERSISTED_OPERATION_NOT_FOUND', 'There is no persisted operation with this id.');
  }
}

function sentText({ query, id }: GraphQLRequest): string {
  if (query !== null) return query;
  if (id === null) throw requestError(400, 'BAD_REQUEST', 'The request has no query.');
  throw requestError(404, 'PERSISTED_OPERATION_NOT_FOUND', 'The service has no persisted operations. Send the query.');
}

function inTable(operations: Readonly<Record<string, string>>, id: string): string | null {
  return Object.hasOwn(operations, id) ? operations[id]! : null;
}
