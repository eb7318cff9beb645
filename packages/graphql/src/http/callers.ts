import { AccessDeniedError, AuthenticationUnavailableError, ServiceError, UnauthenticatedError } from '@svc/core';
import { type AccessControl } from '@svc/core/hosting';
import { challengesOf, headersOfRequest, requestOf, type HostReply, type HostRequest } from '@svc/http/hosting';
import { requestError } from '../errors/index.js';

const retryAfterSeconds = '5';

/**
 * Returns a function that authenticates the caller before the body is read. A credential that is not valid is rejected at once. So is a request without
 * one, unless `allowsAnonymous`: then each mutation and query decides.
 */
export function establishing(access: AccessControl, allowsAnonymous: boolean) {
  return async (request: HostRequest, reply: HostReply): Promise<void> => {
    try {
      const caller = await access.establish(headersOfRequest(request));
      if (caller === null && !allowsAnonymous) throw new UnauthenticatedError();
      requestOf(request).caller = caller;
    } catch (error) {
      if (error instanceof AuthenticationUnavailableError) {
        reply.header('retry-after', retryAfterSeconds);
        throw requestError(503, 'UNAVAILABLE', error.message);
      }
      // The caller asked to act for another tenant.
      if (error instanceof AccessDeniedError) {
        reply.header('www-authenticate', challengesOf(error, access.authenticators));
        throw requestError(403, 'FORBIDDEN', error.message);
      }
      if (error instanceof ServiceError && error.code === 'SVC_INVALID_TENANT') {
        throw requestError(400, 'BAD_REQUEST', error.message);
      }
      if (error instanceof ServiceError && error.code === 'SVC_UNKNOWN_TENANT') {
        throw requestError(403, 'FORBIDDEN', error.message);
      }
      if (!(error instanceof UnauthenticatedError)) throw error;
      reply.header('www-authenticate', challengesOf(error, access.authenticators));
      throw requestError(401, 'UNAUTHENTICATED', error.message);
    }
  };
}
