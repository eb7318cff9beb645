/** Prints a token for an hour, signed with AUTH_SECRET of .env: `npm run -s token -- ann`. In production, your identity provider issues tokens. */
import { SignJWT } from 'jose';

const { AUTH_SECRET: secret = '' } = process.env;
const [user = 'developer'] = process.argv.slice(2);

const token = await new SignJWT()
  .setProtectedHeader({ alg: 'HS256' })
  .setSubject(user)
  .setIssuer('template-service')
  .setAudience('template-service')
  .setExpirationTime('1h')
  .sign(new TextEncoder().encode(secret));
console.log(token);
