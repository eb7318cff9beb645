import { AuthenticationUnavailableError, UnauthenticatedError, type Authenticator } from '@svc/core';
import type { FastifyReply } from 'fastify';

const retryAfterSeconds = '5';

/** Adds the headers that an error of access control brings along: how to show who one is, or when to come back. */
export function challenge(reply: FastifyReply, error: unknown, authenticators: readonly Authenticator[]): void {
  if (error instanceof AuthenticationUnavailableError) reply.header('retry-after', retryAfterSeconds);
  if (!(error instanceof UnauthenticatedError) || authenticators.length === 0) return;
  // One line for each: few clients find the second challenge on a line.
  reply.header(
    'www-authenticate',
    authenticators.map((authenticator) => challengeOf(authenticator, error)),
  );
}

/** RFC 9110, section 11.3; for bearer tokens RFC 6750, section 3. */
function challengeOf({ scheme, header }: Authenticator, error: UnauthenticatedError): string {
  const parameters = header === undefined ? [] : [`header="${header}"`];
  if (scheme === 'Bearer' && error.scheme === scheme) {
    parameters.push('error="invalid_token"', `error_description="${quotable(error.message)}"`);
  }
  return parameters.length === 0 ? scheme : `${scheme} ${parameters.join(', ')}`;
}

function quotable(text: string): string {
  return text.replace(/[^\x20-\x7e]|["\\]/g, '');
}
