import { requireValidScope } from '../security/index.js';
import { UnauthenticatedError } from './access-errors.js';
import type { Authenticated } from './authenticator.js';

/** Returns the result of an authenticator, or throws if its scope is invalid. */
export function validated(authenticated: Authenticated, scheme: string): Authenticated {
  try {
    requireValidScope(authenticated.context.scope);
  } catch (cause) {
    throw new UnauthenticatedError('The credential is not valid.', { scheme, cause });
  }
  return authenticated;
}
