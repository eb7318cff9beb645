import { AuthenticationUnavailableError, type Authenticator } from '@svc/core';
import { challengesOf } from '../credentials.js';
import type { HostReply } from '../host.js';

const retryAfterSeconds = '5';

/** Adds the headers for an access error: how to authenticate, or when to retry. */
export function challenge(reply: HostReply, error: unknown, authenticators: readonly Authenticator[]): void {
  if (error instanceof AuthenticationUnavailableError) reply.header('retry-after', retryAfterSeconds);
  const challenges = challengesOf(error, authenticators);
  // One line each: few clients find the second challenge on a line.
  if (challenges.length > 0) reply.header('www-authenticate', challenges);
}
