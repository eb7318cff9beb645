import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isLoopback, type Duration } from '@svc/core';
import { PlaintextRejectedError, plaintextText } from '@svc/core/hosting';
import { drainOnSignals, structuredLogs } from '@svc/fastify';
import { activeTrace } from '@svc/telemetry';
import { prometheus } from '@svc/telemetry/prometheus';
import { authenticationFrom } from './authentication.js';
import { createHost } from './host.js';
import { chooseKeyVault } from './key-vault.js';
import { chooseSeals } from './seals.js';
import { chooseStorage } from './storage.js';
import { chooseTransport } from './transport.js';

const host = process.env['HOST'] ?? '127.0.0.1';
const port = Number(process.env['PORT'] ?? 3000);
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  fail(`PORT must be a number between 0 and 65535, not "${process.env['PORT']}".`);
}

try {
  const authentication = authenticationFrom(process.env);
  const isOpen = authentication === null;
  if (isOpen && !isLoopback(host) && process.env['ALLOW_EVERYBODY'] !== 'yes') {
    fail(`No authentication is configured, but ${host} accepts connections from other machines. Every caller could do everything.
Set AUTH_SECRET, AUTH_JWKS_URL or API_KEYS, or ALLOW_EVERYBODY=yes if that is what you want.`);
  }
  const { storage, where } = chooseStorage(process.env);
  const { transport, acceptEventsFrom, by } = chooseTransport(process.env);
  const server = structuredLogs({ level: process.env['LOG_LEVEL'] ?? 'warn', activeTrace });
  const environment = process.env['SVC_ENVIRONMENT'];
  const labels = environment === undefined ? {} : { environment };
  const measured = process.env['METRICS'] === '1' ? prometheus({ labels }) : null;
  const flags = process.env['FLAGS_FILE'] ?? repositoryFlags();
  const isTrial = isLoopback(host) && process.env['NODE_ENV'] !== 'production';
  const { keyVault, where: keys } = chooseKeyVault(process.env, { isTrial });
  const { seals, by: sealedBy } = chooseSeals(process.env, { isTrial });
  const { app, drain } = await createHost(
    {},
    {
      server,
      authentication,
      storage,
      transport,
      acceptEventsFrom,
      prometheus: measured,
      flags,
      payWithin: timeToPay(),
      keyVault,
      seals,
    },
  );
  drainOnSignals(drain);
  const url = await app.listen({ host, port });
  console.log(`Orders is listening.

  page      ${url}/
  console   ${url}/console
  commands  POST ${url}/orders
  API       ${url}/docs
  OpenAPI   ${url}/openapi.json
  GraphQL   ${url}/graphql
  health    ${url}/health/ready
${measured === null ? '' : `  metrics   ${url}/metrics\n`}  data      ${where}
  broker    ${by}
  keys      ${keys}
  seals     ${sealedBy}
  flags     ${flags ?? 'none, every flag is off'}

${isOpen ? openTo(host) : 'Callers must authenticate.'}`);
} catch (error) {
  fail(describe(error));
}

/** Null: orders may stay unpaid, and nothing ships them. */
function timeToPay(): Duration | null {
  const text = process.env['PAY_WITHIN_MINUTES'];
  if (text === undefined) return null;
  const minutes = Number(text);
  if (!(minutes > 0)) fail(`PAY_WITHIN_MINUTES must be a number above 0, not "${text}".`);
  return { minutes };
}

/** The flags file of the repository. An image has none. */
function repositoryFlags(): string | null {
  const file = fileURLToPath(new URL('../flags.json', import.meta.url));
  return existsSync(file) ? file : null;
}

function openTo(address: string): string {
  return isLoopback(address)
    ? 'No authentication is configured: every caller on this machine may do everything. Other machines cannot connect.'
    : `No authentication is configured, as ALLOW_EVERYBODY allows: every caller that can connect to ${address} may do everything.`;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is in use. Set PORT to another one.`;
  if (error instanceof PlaintextRejectedError) return plaintextText(error, 'set ALLOW_PLAINTEXT=yes');
  if (code === 'SVC_STORAGE_UNAVAILABLE') return `${(error as Error).message} ${causeOf(error as Error)}`;
  return `Cannot start on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? cause.message : '';
}
