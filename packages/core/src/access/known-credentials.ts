import { createHmac, randomBytes } from 'node:crypto';
import type { SecurityContext } from '../security/index.js';
import type { Authenticated } from './authenticator.js';

/** Nobody is believed longer than this without being asked again. */
const longestMs = 5 * 60_000;
const mostEntries = 10_000;

/**
 * Credentials that were found valid a moment ago. Checking a signature for each request would cost more than the request.
 * A credential that comes many times at once is checked once. Credentials are remembered by a keyed hash, so that a dump of the memory
 * reveals none.
 */
export class KnownCredentials {
  readonly #hashKey = randomBytes(32);
  readonly #entries = new Map<string, { readonly context: SecurityContext; readonly until: number }>();
  readonly #underWay = new Map<string, Promise<SecurityContext>>();

  /** Whose a credential is, asking `check` when that is not known. */
  get(credential: string, check: () => Promise<Authenticated>): Promise<SecurityContext> {
    const hash = createHmac('sha256', this.#hashKey).update(credential).digest('base64');
    const entry = this.#entries.get(hash);
    if (entry !== undefined) {
      if (entry.until > Date.now()) return Promise.resolve(entry.context);
      this.#entries.delete(hash);
    }
    return this.#underWay.get(hash) ?? this.#start(hash, check);
  }

  /** Forgets everything. What is being checked just now is answered, and not remembered: it may have been read before the change. */
  clear(): void {
    this.#entries.clear();
    this.#underWay.clear();
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
    this.#underWay.set(hash, checking);
    return checking;
  }

  /** Whether nothing was forgotten since the check began. */
  #end(hash: string, checking: Promise<SecurityContext>): boolean {
    if (this.#underWay.get(hash) !== checking) return false;
    return this.#underWay.delete(hash);
  }

  #add(hash: string, { context, expiresAt }: Authenticated): void {
    if (this.#entries.size >= mostEntries) this.#entries.delete(this.#entries.keys().next().value!);
    const until = Math.min(Date.now() + longestMs, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    this.#entries.set(hash, { context, until });
  }
}
