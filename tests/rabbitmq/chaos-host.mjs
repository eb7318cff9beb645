/**
 * A host that counts, in a process of its own: `node chaos-host.mjs <storage> <where> <broker> <prefix> <name> <streams> <first> <count>`.
 * It says `ready`, and begins when it is told to. Standard output then gets a line for every command that was answered, and `done`
 * after the last; it goes on receiving until its input ends.
 */
import { postgres } from '@svc/postgres';
import { rabbitMqTransport } from '@svc/rabbitmq';
import { sqlite } from '@svc/sqlite';
import { count, trialService } from '../durability/trial-service.mjs';

const [, , kind, where, url, prefix, hostName, streams, first, howMany] = process.argv;

const storage =
  kind === 'sqlite' ? sqlite({ file: where, pollMs: 200 }) : postgres({ url: where, leaseMs: 500, pollMs: 200 });
const hosts = ['first', 'second', 'third'];
// One broker user stands for all of them, so that the origin of every event is proven.
const users = Object.fromEntries(hosts.map((host) => [host, new URL(url).username]));
// Outages are what this is about: they are not worth a word.
const quiet = () => {};
const service = trialService(storage, quiet)
  .useTransport(rabbitMqTransport({ url, prefix, hostName, users, report: quiet }))
  .acceptEvents({ from: hosts, namespaces: ['trial'] })
  .start();
await service.ready();
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));

const mine = streams.split(',');
const writers = 6;
await Promise.all(
  Array.from({ length: writers }, async (_, writer) => {
    for (let i = writer; i < Number(howMany); i += writers) {
      const number = Number(first) + i;
      const stream = mine[i % mine.length];
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
