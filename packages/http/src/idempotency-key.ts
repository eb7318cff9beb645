import type { IncomingHttpHeaders } from 'node:http';

/** Under it the first result is stored, and returned when the same request is sent again. */
export function idempotencyKeyOf({ headers }: { readonly headers: IncomingHttpHeaders }): string | undefined {
  // Node joins several headers of that name to one, which is no key.
  return headers['idempotency-key'] as string | undefined;
}
