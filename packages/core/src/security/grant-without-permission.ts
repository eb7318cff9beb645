import { ServiceError } from '../errors/index.js';

/** `AccessGranted` names the permission that was used. `subject`: what was declared, with an article. */
export function grantWithoutPermission(subject: string): ServiceError {
  return new ServiceError(
    'SVC_INVALID_VALUE',
    `${subject} has recordGrant without requires, and there is no permission to record. Add requires, or remove recordGrant.`,
  );
}
