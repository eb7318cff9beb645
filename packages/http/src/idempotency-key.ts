import type { IncomingHttpHeaders } from 'node:http';

/** Returns the idempotency key: svc stores the first result under it and returns it when the request is repeated. */
export function idempotencyKeyOf({ headers }: { readonly headers: IncomingHttpHeaders }): string | undefined {
  // Node joins repeated headers into one text, which is not a valid key.
  return headers['idempotency-key'] as string | undefined;
}
