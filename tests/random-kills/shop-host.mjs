/**
 * A host of a shop: `node shop-host.mjs <shop> <other shop> <where> <broker> <prefix>`. It reads requests as lines of JSON from its input. Standard
 * output gets `ready`, and a line for every request that it has answered. It stops when its input ends.
 */
import { createInterface } from 'node:readline';
import { rabbitMqTransport } from '@svc/rabbitmq';
import { handle, shopService } from './shop-service.mjs';

const [, , shop, other, where, url, prefix] = process.argv;

async function openStorage() {
  const times = { leaseMs: 300, pollMs: 100 };
  if (!where.startsWith('postgres:')) return (await import('@svc/sqlite')).sqlite({ file: where, ...times });
  return (await import('@svc/postgres')).postgres({ url: where, ...times, onStall: () => {} });
}

// Outages are the subject of this test: nothing reports them.
const quiet = () => {};
const user = new URL(url).username;
const users = { [shop]: user, [other]: user };
const transport = rabbitMqTransport({ url, prefix, hostName: shop, users, report: quiet });
const service = shopService(shop, other, await openStorage(), transport).start();
await service.ready();

const write = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);
write('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  handle(service, request).then(
    (outcome) => write({ requestId: request.requestId, outcome }),
    (error) => write({ requestId: request.requestId, error: `${error.code ?? error.name}: ${error.message}` }),
  );
}
await service.stop();
process.exit(0);
