/**
 * A host that counts: `node program.mjs <configuration>`, as JSON. It writes `ready`, and begins when it gets a line. Standard output then gets a
 * line for every command that was answered, and `done` after the last one. It receives until its input ends.
 */
import { rabbitMqTransport } from '@svc/rabbitmq';
import { count, countingService } from './service.mjs';

const { where, url, prefix, name, names, streams, first, total } = JSON.parse(process.argv[2]);
const writers = 6;

async function openStorage() {
  if (!where.startsWith('postgres:')) return (await import('@svc/sqlite')).sqlite({ file: where, pollMs: 200 });
  return (await import('@svc/postgres')).postgres({ url: where, leaseMs: 500, pollMs: 200 });
}

// One broker user stands for all of them, so that the origin of every event is proven.
const users = Object.fromEntries(names.map((each) => [each, new URL(url).username]));
// A run causes outages: nothing reports them.
const transport = rabbitMqTransport({ url, prefix, hostName: name, users, report: () => {} });
const service = countingService(await openStorage(), transport, names).start();
await service.ready();
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));

await Promise.all(
  Array.from({ length: writers }, async (_, writer) => {
    for (let i = writer; i < total; i += writers) {
      const [stream, number] = [streams[i % streams.length], first + i];
      await count(service, stream, number);
      process.stdout.write(`${stream} ${number}\n`);
    }
  }),
);
process.stdout.write('done\n');
process.stdin.resume();
await new Promise((resolve) => process.stdin.once('end', resolve));
await service.stop();
process.exit(0);
