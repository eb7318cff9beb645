import { ServiceError } from '@svc/core';

/** For invalid authentication settings: thrown at startup, before a caller can use them. */
export function invalidAuthentication(message: string): ServiceError {
  return new ServiceError('SVC_INVALID_AUTHENTICATION', message);
}
