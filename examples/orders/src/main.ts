import { createHost } from './host.js';
import { chooseStorage } from './storage.js';

const host = process.env['HOST'] ?? '127.0.0.1';
const port = Number(process.env['PORT'] ?? 3000);
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  console.error(`PORT must be a number between 0 and 65535, not "${process.env['PORT']}".`);
  process.exit(1);
}

const { storage, where } = chooseStorage(process.env['DATABASE_URL']);

try {
  const { app, service } = await createHost({}, { logger: { level: 'warn' } }, storage);
  const url = await app.listen({ host, port });
  console.log(`Orders is listening.

  commands  POST ${url}/orders
  API       ${url}/docs
  OpenAPI   ${url}/openapi.json
  GraphQL   ${url}/graphql
  data      ${where}

${openTo(host)}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void app.close().then(() => service.stop()));
  }
} catch (error) {
  console.error(describe(error));
  process.exit(1);
}

function openTo(address: string): string {
  const isLoopback = address === 'localhost' || address === '::1' || address.startsWith('127.');
  return isLoopback
    ? 'No authentication is configured: it is open to this machine only.'
    : `No authentication is configured, and ${address} can be reached by others: anyone there may use it.`;
}

function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is in use. Set PORT to another one.`;
  if (code === 'SVC_STORAGE_UNAVAILABLE') return `${(error as Error).message} ${causeOf(error as Error)}`;
  return `Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? cause.message : '';
}
