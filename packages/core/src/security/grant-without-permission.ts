import { ServiceError } from '../errors/index.js';

/** The error for `recordGrant` without `requires`: `AccessGranted` names the permission. `subject` starts with an article. */
export function grantWithoutPermission(subject: string): ServiceError {
  return new ServiceError(
    'SVC_INVALID_VALUE',
    `${subject} has recordGrant without requires, so there is no permission to record. Add requires, or remove recordGrant.`,
  );
}
