import type { SecurityContext } from '../security/index.js';
import type { Authenticated } from './authenticator.js';

/** Nobody is believed longer than this without being asked again. */
const longestMs = 5 * 60_000;
const mostEntries = 10_000;

/** Credentials that were found valid a moment ago. Checking a signature anew for each request would cost more than the request. */
export class KnownCredentials {
  readonly #entries = new Map<string, { readonly context: SecurityContext; readonly until: number }>();

  find(credential: string, now: number): SecurityContext | null {
    const entry = this.#entries.get(credential);
    if (entry === undefined) return null;
    if (entry.until > now) return entry.context;
    this.#entries.delete(credential);
    return null;
  }

  add(credential: string, { context, expiresAt }: Authenticated, now: number): void {
    if (this.#entries.size >= mostEntries) this.#entries.delete(this.#entries.keys().next().value!);
    const until = Math.min(now + longestMs, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    this.#entries.set(credential, { context, until });
  }
}
