import { ServiceError } from '@svc/core';

/** For what is wrong with the configuration: thrown where it is written, before anybody can be let in by it. */
export function invalidAuthentication(message: string): ServiceError {
  return new ServiceError('SVC_INVALID_AUTHENTICATION', message);
}
