/** Orders per second over HTTP: svc compared with other frameworks and with bare Node. */
import { pinning } from '../lib/machine.mjs';
import { connectionCount, measureServer } from '../lib/measure-server.mjs';
import { makeOrders } from '../lib/orders.mjs';
import { atLeast, atMost, speed, table } from '../lib/report.mjs';
import { figure, interleave, ratio } from '../lib/rounds.mjs';

const subjects = [
  { name: 'node', about: '`node:http` + `JSON.parse`, no validation' },
  { name: 'fastify', about: 'Fastify 5 + JSON schemas' },
  { name: 'svc-node', about: 'svc on `node:http`: validation, hooks, dispatcher, one event stored in memory' },
  { name: 'svc-fastify', about: 'the same in Fastify' },
  { name: 'nest', about: 'NestJS 12 on Fastify + `@nestjs/cqrs`, no validation, no event' },
  { name: 'express', about: 'Express 5 + `express.json`, no validation' },
  { name: 'svc-express', about: 'svc in Express' },
  { name: 'hono', about: 'Hono 4 on its server for Node, no validation' },
  { name: 'svc-hono', about: 'svc as a `fetch` handler in Hono' },
];

/** @type {import('../lib/measure-server.mjs').Task} */
const task = {
  path: '/orders',
  bodies: makeOrders(connectionCount).map((order) => JSON.stringify(order)),
  idOf: (answer) => answer.orderId,
};

/** @type {import('../lib/report.mjs').Metric} */
const rate = { name: 'rate', label: 'requests/s', digits: 0, higherIsBetter: true };
const p50 = { name: 'p50', label: 'p50 ms', digits: 2 };
const p99 = { name: 'p99', label: 'p99 ms', digits: 2 };
const cpu = { name: 'cpu', label: 'server CPU µs/request', digits: 0 };

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'POST of one order, 64 connections: svc on its hosts, Fastify, NestJS, Express, Hono, node:http',
  async run({ quick, progress }) {
    const plan = quick
      ? { rounds: 3, warmUpMs: 800, measureMs: 1_200 }
      : { rounds: 7, warmUpMs: 2_000, measureMs: 4_000 };
    const pins = pinning();
    const names = subjects.map((subject) => subject.name);
    /** @param {string} name */
    const measure = (name) => measureServer(new URL(`subjects/${name}.mjs`, import.meta.url), task, plan, pins);
    const rounds = await interleave(names, plan.rounds, measure, progress);
    const clientCpu = Math.max(...names.map((name) => figure(rounds, name, 'clientCpu').high));
    return {
      tables: [table('POST of one order', subjects, rounds, [rate, p50, p99, cpu], ['fastify', 'nest', 'node'])],
      targets: [
        atLeast('svc on node:http, requests/s × Fastify', speed(rounds, 'svc-node', 'fastify', rate), 1.25),
        atLeast('svc in Fastify, requests/s × Fastify', speed(rounds, 'svc-fastify', 'fastify', rate), 1.0),
        atLeast('svc in Fastify, requests/s × NestJS', speed(rounds, 'svc-fastify', 'nest', rate), 1.3),
        atMost('svc in Fastify, p99 × Fastify', ratio(rounds, 'svc-fastify', 'fastify', 'p99'), 1.2),
      ],
      notes: [
        `${connectionCount} keep-alive connections on loopback; a new server process each round, ${plan.rounds} rounds, ${plan.warmUpMs / 1000} s of warm-up and ${plan.measureMs / 1000} s measured in each`,
        pins === null
          ? 'server and load are not pinned to processors: `taskset` or a second processor is missing'
          : `server on CPU ${pins.server}, load on CPU ${pins.client} (\`taskset\`)`,
        `the load used at most ${Math.round(clientCpu * 100)} % of a processor; every answer was 200`,
      ],
    };
  },
};
