import { signToken } from '@svc/http';

export const testSecret = 'only-for-the-tests-of-this-service';

/** A token of a user, for an hour. */
export function testToken(user: string): Promise<string> {
  return signToken({ user }, { secret: testSecret, issuer: 'template-service', audience: 'template-service' });
}
