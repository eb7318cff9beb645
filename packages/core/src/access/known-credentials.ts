import type { SecurityContext } from '../security/index.js';
import type { Authenticated } from './authenticator.js';

/** Nobody is believed longer than this without being asked again. */
const longestMs = 5 * 60_000;
const mostEntries = 10_000;

/**
 * Credentials that were found valid a moment ago. Checking a signature anew for each request would cost more than the request.
 * A credential that comes many times at once is checked once.
 */
export class KnownCredentials {
  readonly #entries = new Map<string, { readonly context: SecurityContext; readonly until: number }>();
  readonly #underWay = new Map<string, Promise<SecurityContext>>();

  /** Whose a credential is, asking `check` when that is not known. */
  get(credential: string, check: () => Promise<Authenticated>): Promise<SecurityContext> {
    const entry = this.#entries.get(credential);
    if (entry !== undefined) {
      if (entry.until > Date.now()) return Promise.resolve(entry.context);
      this.#entries.delete(credential);
    }
    return this.#underWay.get(credential) ?? this.#start(credential, check);
  }

  /** Forgets everything. What is being checked just now is answered, and not remembered: it may have been read before the change. */
  clear(): void {
    this.#entries.clear();
    this.#underWay.clear();
  }

  #start(credential: string, check: () => Promise<Authenticated>): Promise<SecurityContext> {
    const checking: Promise<SecurityContext> = check().then(
      (authenticated) => {
        if (this.#end(credential, checking)) this.#add(credential, authenticated);
        return authenticated.context;
      },
      (error: unknown) => {
        this.#end(credential, checking);
        throw error;
      },
    );
    this.#underWay.set(credential, checking);
    return checking;
  }

  /** Whether nothing was forgotten since the check began. */
  #end(credential: string, checking: Promise<SecurityContext>): boolean {
    if (this.#underWay.get(credential) !== checking) return false;
    return this.#underWay.delete(credential);
  }

  #add(credential: string, { context, expiresAt }: Authenticated): void {
    if (this.#entries.size >= mostEntries) this.#entries.delete(this.#entries.keys().next().value!);
    const until = Math.min(Date.now() + longestMs, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    this.#entries.set(credential, { context, until });
  }
}
