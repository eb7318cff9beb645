import { createHash } from 'node:crypto';
import { requestError, type RequestError } from '../errors/index.js';
import { RecentlyUsed } from './recently-used.js';

/** Documents that clients have registered by sending them with their hash once: Apollo's automatic persisted queries. */
export class AutomaticQueries {
  readonly #texts: RecentlyUsed<string, string>;

  constructor(size: number) {
    this.#texts = new RecentlyUsed(size);
  }

  /** Throws the error after which clients send the document with the hash. */
  find(hash: string): string {
    const text = this.#texts.get(hash);
    if (text === undefined) throw unknownHash();
    return text;
  }

  add(hash: string, text: string): void {
    this.#texts.set(hash, text);
  }
}

/** Clients recognize the message or the code, and some of them only with status 200. */
export function unknownHash(): RequestError {
  return requestError(200, 'PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
}

export function requireHashOf(text: string, hash: string): void {
  if (createHash('sha256').update(text).digest('hex') === hash) return;
  throw requestError(
    400,
    'BAD_REQUEST',
    'sha256Hash is not the SHA-256 of the query, in lower-case hexadecimal digits.',
  );
}
