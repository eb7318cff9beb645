import { SignJWT } from 'jose';

export const testSecret = 'only-for-the-tests-of-this-service';

/** A token of a user, for an hour. */
export function testToken(user: string): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(user)
    .setIssuer('template-service')
    .setAudience('template-service')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(testSecret));
}
