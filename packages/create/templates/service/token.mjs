/** Prints a token for an hour, signed with AUTH_SECRET of .env: `npm run -s token -- ann`. In production, your identity provider issues tokens. */
import { signToken } from '@svc/http';

const { AUTH_SECRET: secret = '' } = process.env;
const [user = 'developer'] = process.argv.slice(2);

console.log(await signToken({ user }, { secret, issuer: 'template-service', audience: 'template-service' }));
