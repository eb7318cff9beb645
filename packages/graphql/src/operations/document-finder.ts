import { requestError } from '../errors/index.js';
import type { GraphQLRequest } from '../http/graphql-request.js';
import type { PersistedOperations } from '../options.js';
import { AutomaticQueries, requireHashOf, unknownHash } from './automatic-queries.js';

/** The document of a request. */
export interface FoundDocument {
  readonly text: string;
  /** Whether the service defines it, and not a client. */
  readonly isPersisted: boolean;
}

/** Finds the document of a request: in the request, persisted under the id it sends, or registered under the hash it sends. */
export class DocumentFinder {
  readonly #find: ((id: string) => string | null | Promise<string | null>) | null;
  readonly #isOnly: boolean;
  readonly #automatic = new AutomaticQueries(250);

  constructor(persisted: PersistedOperations | null) {
    const { operations = null, only = true } = persisted ?? {};
    this.#find = operations === null || typeof operations === 'function' ? operations : (id) => inTable(operations, id);
    this.#isOnly = persisted !== null && only;
  }

  async find(request: GraphQLRequest): Promise<FoundDocument> {
    const { documentId, sha256Hash, query } = request;
    const id = documentId ?? sha256Hash;
    const persisted = id === null ? null : ((await this.#find?.(id)) ?? null);
    if (persisted !== null) return { text: persisted, isPersisted: true };
    if (documentId !== null) {
      throw requestError(404, 'PERSISTED_OPERATION_NOT_FOUND', 'There is no persisted operation with this id.');
    }
    if (this.#isOnly) throw query === null && sha256Hash !== null ? unknownHash() : persistedRequired();
    if (query === null && sha256Hash !== null) return { text: this.#automatic.find(sha256Hash), isPersisted: false };
    if (query === null) throw requestError(400, 'BAD_REQUEST', 'The request has no query.');
    if (sha256Hash !== null) requireHashOf(query, sha256Hash);
    return { text: query, isPersisted: false };
  }

  /** Registers a valid document under the hash that came with it. */
  register({ query, sha256Hash }: GraphQLRequest): void {
    if (query !== null && sha256Hash !== null) this.#automatic.add(sha256Hash, query);
  }
}

function persistedRequired(): Error {
  return requestError(
    400,
    'PERSISTED_OPERATION_REQUIRED',
    'The service accepts only persisted operations. Send the id of one.',
  );
}

function inTable(operations: Readonly<Record<string, string>>, id: string): string | null {
  return Object.hasOwn(operations, id) ? operations[id]! : null;
}
