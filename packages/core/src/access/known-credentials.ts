import { createHmac, randomBytes } from 'node:crypto';
import type { SecurityContext } from '../security/index.js';
import type { Authenticated } from './authenticator.js';

/** A credential is cached for at most this time. */
const longestMs = 5 * 60_000;
const mostEntries = 10_000;

/**
 * Caches valid credentials, because checking a signature costs more than a request. Concurrent requests with one credential share a check.
 * The cache contains keyed hashes only, so that a memory dump reveals no credentials.
 */
export class KnownCredentials {
  readonly #hashKey = randomBytes(32);
  readonly #entries = new Map<string, { readonly context: SecurityContext; readonly until: number }>();
  readonly #checking = new Map<string, Promise<SecurityContext>>();

  /** The caller of a credential, from the cache or from `check`. */
  get(credential: string, check: () => Promise<Authenticated>): Promise<SecurityContext> {
    const hash = createHmac('sha256', this.#hashKey).update(credential).digest('base64');
    const entry = this.#entries.get(hash);
    if (entry !== undefined) {
      if (entry.until > Date.now()) return Promise.resolve(entry.context);
      this.#entries.delete(hash);
    }
    return this.#checking.get(hash) ?? this.#start(hash, check);
  }

  /** Clears the cache. Results of checks in progress are not cached: they may be older than the change. */
  clear(): void {
    this.#entries.clear();
    this.#checking.clear();
  }

  #start(hash: string, check: () => Promise<Authenticated>): Promise<SecurityContext> {
    const checking: Promise<SecurityContext> = check().then(
      (authenticated) => {
        if (this.#end(hash, checking)) this.#add(hash, authenticated);
        return authenticated.context;
      },
      (error: unknown) => {
        this.#end(hash, checking);
        throw error;
      },
    );
    this.#checking.set(hash, checking);
    return checking;
  }

  /** Whether the cache was not cleared since the check began. */
  #end(hash: string, checking: Promise<SecurityContext>): boolean {
    if (this.#checking.get(hash) !== checking) return false;
    return this.#checking.delete(hash);
  }

  #add(hash: string, { context, expiresAt }: Authenticated): void {
    if (this.#entries.size >= mostEntries) this.#entries.delete(this.#entries.keys().next().value!);
    const until = Math.min(Date.now() + longestMs, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    this.#entries.set(hash, { context, until });
  }
}
