/** Mutations per second over GraphQL: svc compared with Mercurius and graphql-yoga, which serve the same schema and do nothing else. */
import { pinning } from '../lib/machine.mjs';
import { connectionCount, measureServer } from '../lib/measure-server.mjs';
import { atLeast, speed, table } from '../lib/report.mjs';
import { figure, interleave } from '../lib/rounds.mjs';
import { makeBodies } from './operation.mjs';

const subjects = [
  { name: 'mercurius', about: 'Mercurius 16 with JIT, resolver returns a random id' },
  { name: 'svc', about: 'svc: constraints, hooks, dispatcher, one event stored in memory' },
  { name: 'yoga', about: 'graphql-yoga 5, resolver returns a random id' },
];

/** @type {import('../lib/measure-server.mjs').Task} */
const task = {
  path: '/graphql',
  bodies: makeBodies(connectionCount),
  idOf: (answer) => answer.data.createOrder.orderId,
};

/** @type {import('../lib/report.mjs').Metric} */
const rate = { name: 'rate', label: 'requests/s', digits: 0, higherIsBetter: true };
const p50 = { name: 'p50', label: 'p50 ms', digits: 2 };
const p99 = { name: 'p99', label: 'p99 ms', digits: 2 };
const cpu = { name: 'cpu', label: 'server CPU µs/request', digits: 0 };

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'one order as a GraphQL mutation, 64 connections: svc, Mercurius, graphql-yoga',
  async run({ quick, progress }) {
    const plan = quick
      ? { rounds: 3, warmUpMs: 1_200, measureMs: 1_500 }
      : { rounds: 7, warmUpMs: 2_500, measureMs: 4_000 };
    const pins = pinning();
    const names = subjects.map((subject) => subject.name);
    /** @param {string} name */
    const measure = (name) => measureServer(new URL(`subjects/${name}.mjs`, import.meta.url), task, plan, pins);
    const rounds = await interleave(names, plan.rounds, measure, progress);
    const clientCpu = Math.max(...names.map((name) => figure(rounds, name, 'clientCpu').high));
    return {
      tables: [table('One order as a mutation', subjects, rounds, [rate, p50, p99, cpu], ['mercurius', 'yoga'])],
      targets: [
        atLeast('svc, requests/s × Mercurius', speed(rounds, 'svc', 'mercurius', rate), 0.95),
        atLeast('svc, requests/s × graphql-yoga', speed(rounds, 'svc', 'yoga', rate), 2.5),
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
