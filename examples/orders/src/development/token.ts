/**
 * Prints a token to try the service: `npm run -s token -w examples/orders -- --user ann --roles clerk`. It is signed with the
 * `AUTH_SECRET` of the service. In production, an identity provider issues tokens.
 */
import { parseArgs } from 'node:util';
import { signToken } from '@svc/fastify';
import { developmentName } from '../authentication.js';

const usage = `Usage: npm run -s token -w examples/orders -- --user <id> [options]

  --user <id>            the id of the user
  --name <name>          the name of the user
  --tenant <id>          default: default
  --roles <a,b>          clerk, auditor, admin
  --permissions <a,b>    such as orders:write
  --minutes <n>          how long it is valid; default: 60

Set AUTH_SECRET, AUTH_ISSUER and AUTH_AUDIENCE as for the service.`;

const text = { type: 'string' } as const;
const options = { user: text, name: text, tenant: text, roles: text, permissions: text, minutes: text };

try {
  const { user, name, tenant = 'default', roles, permissions, minutes = '60' } = parseArgs({ options }).values;
  const { AUTH_SECRET: secret, AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience } = process.env;
  if (user === undefined) throw new Error('--user is missing.');
  if (secret === undefined) throw new Error('AUTH_SECRET is not set.');
  const holder = {
    user,
    tenant,
    ...(name !== undefined && { name }),
    ...(roles !== undefined && { roles: roles.split(',') }),
    ...(permissions !== undefined && { permissions: permissions.split(',') }),
  };
  const names = { issuer: issuer ?? developmentName, audience: audience ?? developmentName };
  console.log(await signToken(holder, { secret, ...names, minutes: Number(minutes) }));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 1;
}
