/** Prints a new API key, once, and its entry for `API_KEYS`. */
import { parseArgs } from 'node:util';
import { newApiKey } from '@svc/fastify';

const usage = `Usage: npm run -s api-key -w examples/orders -- --user <id> [--tenant <id>] [--roles <a,b>] [--permissions <a,b>]`;

const text = { type: 'string' } as const;
const options = { user: text, tenant: text, roles: text, permissions: text };

try {
  const { user, tenant = 'default', roles, permissions } = parseArgs({ options }).values;
  if (user === undefined) throw new Error('--user is missing.');
  const { key, sha256 } = newApiKey();
  const entry = {
    sha256,
    scope: { userId: user, tenantId: tenant },
    ...(roles !== undefined && { roles: roles.split(',') }),
    ...(permissions !== undefined && { permissions: permissions.split(',') }),
  };
  console.log(`key       ${key}\nAPI_KEYS  ${JSON.stringify([entry])}`);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 1;
}
