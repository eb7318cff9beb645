import { AuthenticationUnavailableError, type Authenticator } from '@svc/core';
import { challengesOf } from '@svc/http';
import type { FastifyReply } from 'fastify';

const retryAfterSeconds = '5';

/** Adds the headers for an access error: how to authenticate, or when to retry. */
export function challenge(reply: FastifyReply, error: unknown, authenticators: readonly Authenticator[]): void {
  if (error instanceof AuthenticationUnavailableError) reply.header('retry-after', retryAfterSeconds);
  const challenges = challengesOf(error, authenticators);
  // One line each: few clients find the second challenge on a line.
  if (challenges.length > 0) reply.header('www-authenticate', challenges);
}
