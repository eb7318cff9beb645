/** Response headers for browsers. A header that the host has set, for example with helmet, stays. */

/** The part of a reply that sets headers. */
export interface ReplyHeaders {
  hasHeader(name: string): boolean;
  getHeader(name: string): number | string | string[] | undefined;
  header(name: string, value: string): unknown;
}

/** For every response: a browser must not guess another media type. */
export function forbidSniffing(reply: ReplyHeaders): void {
  addMissing(reply, 'x-content-type-options', 'nosniff');
}

/**
 * For responses that a browser can show: it loads only `sources`, and no other page can frame the response or learn its address.
 * `sources` are directives such as `style-src 'self'`.
 */
export function restrictBrowser(reply: ReplyHeaders, sources: readonly string[] = []): void {
  addMissing(reply, 'content-security-policy', ["default-src 'none'", ...sources, ...nothingElse].join('; '));
  addMissing(reply, 'x-frame-options', 'DENY');
  addMissing(reply, 'referrer-policy', 'no-referrer');
  forbidSniffing(reply);
}

/** For responses that depend on a header of the request. A plugin of the host, such as CORS, may have named other headers. */
export function addVary(reply: ReplyHeaders, header: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? header : `${String(others)}, ${header}`);
}

/** The directives that `default-src` does not cover. */
const nothingElse = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

function addMissing(reply: ReplyHeaders, name: string, value: string): void {
  if (!reply.hasHeader(name)) reply.header(name, value);
}
