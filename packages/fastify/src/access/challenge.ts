import { AuthenticationUnavailableError, type Authenticator } from '@svc/core';
import { challengesOf } from '@svc/http';
import type { FastifyReply } from 'fastify';

const retryAfterSeconds = '5';

/** Adds the headers that an error of access control brings along: how to show who one is, or when to come back. */
export function challenge(reply: FastifyReply, error: unknown, authenticators: readonly Authenticator[]): void {
  if (error instanceof AuthenticationUnavailableError) reply.header('retry-after', retryAfterSeconds);
  const challenges = challengesOf(error, authenticators);
  // One line for each: few clients find the second challenge on a line.
  if (challenges.length > 0) reply.header('www-authenticate', challenges);
}
