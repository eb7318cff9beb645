import { createHost } from './host.js';

const host = process.env['HOST'] ?? '127.0.0.1';
const port = Number(process.env['PORT'] ?? 3000);
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  console.error(`PORT must be a number between 0 and 65535, not "${process.env['PORT']}".`);
  process.exit(1);
}

const { app } = await createHost({}, { logger: { level: 'warn' } });

try {
  const url = await app.listen({ host, port });
  console.log(`Orders is listening.

  commands  POST ${url}/orders
  API       ${url}/docs
  OpenAPI   ${url}/openapi.json
  GraphQL   ${url}/graphql

${openTo(host)}`);
} catch (error) {
  console.error(describe(error));
  process.exit(1);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void app.close();
  });
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
  return `Cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : String(error)}`;
}
