import { requireValidScope } from '../security/index.js';
import { UnauthenticatedError } from './access-errors.js';
import type { Authenticated } from './authenticator.js';

/** What an authenticator answered, if nothing in its scope would be read as something else. */
export function validated(authenticated: Authenticated, scheme: string): Authenticated {
  try {
    requireValidScope(authenticated.context.scope);
  } catch (cause) {
    throw new UnauthenticatedError('The credential is not valid.', { scheme, cause });
  }
  return authenticated;
}
