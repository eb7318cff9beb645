/**
 * A host of a shop: `node program.mjs <configuration>`, as JSON. It reads requests as lines of JSON from its input. Standard output gets `ready`, and
 * a line for every request that it has answered. It stops when its input ends.
 */
import { createInterface } from 'node:readline';
import { handle, shopService } from './service.mjs';

const { shop, other, where, broker, sealKey } = JSON.parse(process.argv[2]);

async function openStorage() {
  const times = { leaseMs: 300, pollMs: 100 };
  if (!where.startsWith('postgres:')) return (await import('@svc/sqlite')).sqlite({ file: where, ...times });
  return (await import('@svc/postgres')).postgres({ url: where, ...times, onStall: () => {} });
}

async function openTransport() {
  if (broker === null) return null;
  const user = new URL(broker.url).username;
  const users = { [shop]: user, [other]: user };
  const { rabbitMqTransport } = await import('@svc/rabbitmq');
  // A run causes outages: nothing reports them.
  return rabbitMqTransport({ ...broker, hostName: shop, users, report: () => {} });
}

const [storage, transport] = [await openStorage(), await openTransport()];
const service = shopService({ shop, other, storage, transport, sealKey }).start();
await service.ready();

/** `isRejected`: the error says that nothing was stored. */
const failureOf = (error) => ({
  error: `${error.code ?? error.name}: ${error.message}`,
  isRejected: error.outcome === 'none',
});
const write = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
write('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  handle(service, request).then(
    (outcome) => write({ requestId: request.requestId, outcome }),
    (error) => write({ requestId: request.requestId, ...failureOf(error) }),
  );
}
await service.stop();
process.exit(0);
