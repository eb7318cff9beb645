/** Concurrent commands on one stream: 200 reservations of 50 seats, on SQLite with one host and PostgreSQL with two. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newId } from '@svc/core';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { createDatabase } from '../lib/database.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atLeast, atMost, speed, table } from '../lib/report.mjs';
import { figure, interleave } from '../lib/rounds.mjs';

const subjects = [
  { name: 'sqlite-clients', about: 'SQLite, 1 host: clients repeat a 409 at once' },
  { name: 'sqlite-decider', about: 'SQLite, 1 host: `context.load`' },
  { name: 'postgres-clients', about: 'PostgreSQL, 2 hosts: clients repeat a 409 at once' },
  { name: 'postgres-decider', about: 'PostgreSQL, 2 hosts: `context.load`' },
];
/** @type {import('../lib/report.mjs').Metric} */
const rate = { name: 'rate', label: 'reservations/s', digits: 0, higherIsBetter: true };
const conflicts = { name: 'conflicts', label: '409 at the client', digits: 0 };
const oversold = { name: 'oversold', label: 'oversold seats', digits: 0 };
const hostScript = fileURLToPath(new URL('host.mjs', import.meta.url));
const reservations = 200;
const capacity = 50;

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {{ child: ChildProcess, url: string }} Host */

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: '200 concurrent reservations of 50 seats on one stream, with deciders and with clients that repeat a 409',
  async run({ quick, progress }) {
    const plan = quick ? { rounds: 1, warmUps: 1 } : { rounds: 5, warmUps: 3 };
    const cluster = await createCluster();
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
    try {
      const rounds = await interleave(
        subjects.map(({ name }) => name),
        plan.rounds,
        async (name, round) => {
          const [storage = '', subject = ''] = name.split('-');
          const isShared = storage === 'postgres';
          const unique = `${storage}_${subject}_${round}`;
          const target = isShared ? await createDatabase(cluster, unique) : join(folder, `${unique}.db`);
          const hosts = await startHosts(target, subject, isShared ? 2 : 1);
          try {
            for (let i = 0; i < plan.warmUps; i++) await reserveAll(hosts);
            return await reserveAll(hosts);
          } finally {
            await Promise.all(hosts.map(({ child }) => stop(child)));
          }
        },
        progress,
      );
      const byDecider = subjects.filter(({ name }) => name.endsWith('decider'));
      return {
        tables: [
          table(
            '200 reservations of 50 seats',
            subjects,
            rounds,
            [rate, conflicts, oversold],
            ['sqlite-clients', 'postgres-clients'],
          ),
        ],
        targets: byDecider.flatMap(({ name }) => [
          atLeast(
            `${name}, reservations/s × clients that repeat a 409`,
            speed(rounds, name, name.replace('decider', 'clients'), rate),
            5,
          ),
          atMost(`${name}, 409 at the client in any round`, highest(figure(rounds, name, conflicts.name)), 0),
          atMost(`${name}, oversold seats in any round`, highest(figure(rounds, name, oversold.name)), 0),
        ]),
        notes: [
          `all ${reservations} requests are sent at once over HTTP, evenly to the hosts, each on its own connection; a reservation has ended when it is answered with 200 or with 422 (sold out)`,
          `a new database and new hosts each round, ${plan.rounds} rounds, after ${plan.warmUps} × the same on other shows; hosts, clients and database share the machine`,
          'the service of the clients reads the stream and does not retry conflicts; clients do not pause before they repeat a request',
        ],
      };
    } finally {
      await cluster.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** @param {string} target @param {string} subject @param {number} count @returns {Promise<Host[]>} */
async function startHosts(target, subject, count) {
  /** @type {Host[]} */
  const hosts = [];
  for (let i = 0; i < count; i++) {
    const child = start([process.execPath, hostScript, target, subject], { ipc: true });
    const { port } = await message(child, 'ready', 60_000);
    hosts.push({ child, url: `http://127.0.0.1:${port}/seats` });
  }
  return hosts;
}

/** Sends all reservations of a new show. @param {readonly Host[]} hosts */
async function reserveAll(hosts) {
  const showId = newId();
  const body = JSON.stringify({ showId, capacity });
  const started = performance.now();
  const ended = await Promise.all(
    Array.from({ length: reservations }, (_, i) => reserve(hosts[i % hosts.length]?.url ?? '', body)),
  );
  const seconds = (performance.now() - started) / 1_000;
  const sold = ended.filter(({ status }) => status === 200).length;
  const [first] = hosts;
  if (first === undefined) throw new Error('There is no host.');
  first.child.send({ showId });
  const { seats } = await message(first.child, 'counted', 60_000);
  if (sold !== Math.min(seats, capacity))
    throw new Error(`${sold} reservations were confirmed, and ${seats} are stored.`);
  return {
    rate: reservations / seconds,
    conflicts: ended.reduce((sum, { repeated }) => sum + repeated, 0),
    oversold: Math.max(0, seats - capacity),
  };
}

/** @param {string} url @param {string} body */
async function reserve(url, body) {
  const request = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
  for (let repeated = 0; ; repeated++) {
    const response = await fetch(url, request);
    await response.arrayBuffer();
    const { status } = response;
    if (status === 200 || status === 422) return { status, repeated };
    if (status !== 409) throw new Error(`A reservation was answered with ${status}.`);
  }
}

/** @param {import('../lib/statistics.mjs').Spread} spread */
function highest({ high }) {
  return { median: high, low: high, high };
}
