import { drainOnSignals } from '@svc/fastify';
import { createHost } from './host.js';

const host = process.env['HOST'] ?? '127.0.0.1';
const port = Number(process.env['PORT'] ?? 3000);
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  console.error(`PORT must be a number between 0 and 65535, not "${process.env['PORT']}".`);
  process.exit(1);
}

// How long the load balancer needs to see that this host is not ready any more.
const noticeMs = Number(process.env['DRAIN_NOTICE_MS'] ?? 5000);
const { app, drain } = await createHost({}, { logger: { level: 'warn' } }, { noticeMs });

try {
  const url = await app.listen({ host, port });
  console.log(`Orders is listening.

  commands  POST ${url}/orders
  health    ${url}/health/ready
  API       ${url}/docs
  OpenAPI   ${url}/openapi.json

${openTo(host)}`);
} catch (error) {
  console.error(describe(error));
  process.exit(1);
}

drainOnSignals(drain);

function openTo(address: string): string {
  const isLoopback = address === 'localhost' || address === '::1' || address.startsWith('127.');
  return isLoopback
    ? 'No authentication is configured: it is open to this machine only.'
    : `No authentication is configured, and ${address} can be reached by others: anyone there may use it.`;
}

function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is in use. Set PORT to another one.`;
  return `Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
}
