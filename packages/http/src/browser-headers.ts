/** What transports tell browsers about their answers. A header that the host has set, for example with helmet, stays. */

/** A reply, as far as its headers go. */
export interface ReplyHeaders {
  hasHeader(name: string): boolean;
  header(name: string, value: string): unknown;
}

/** For every answer: a browser does not take it for another type than it declares. */
export function forbidSniffing(reply: ReplyHeaders): void {
  addMissing(reply, 'x-content-type-options', 'nosniff');
}

/**
 * For answers that a browser can show: nothing but `sources` is loaded, and no other page can frame the answer or learn its address.
 * `sources` are directives such as `style-src 'self'`.
 */
export function restrictBrowser(reply: ReplyHeaders, sources: readonly string[] = []): void {
  addMissing(reply, 'content-security-policy', ["default-src 'none'", ...sources, ...nothingElse].join('; '));
  addMissing(reply, 'x-frame-options', 'DENY');
  addMissing(reply, 'referrer-policy', 'no-referrer');
  forbidSniffing(reply);
}

/** What `default-src` leaves open. */
const nothingElse = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

function addMissing(reply: ReplyHeaders, name: string, value: string): void {
  if (!reply.hasHeader(name)) reply.header(name, value);
}
