/** Several hosts on one PostgreSQL: orders at full speed, and a log that they catch up with, with 1, 2 and 4 hosts. */
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { createDatabase } from '../lib/database.mjs';
import { message, start, stop } from '../lib/processes.mjs';
import { atLeast, atMost, table } from '../lib/report.mjs';
import { figure, interleave, ratio } from '../lib/rounds.mjs';
import { serverSeconds } from './server-time.mjs';

const hostCounts = [1, 2, 4];
const subjects = hostCounts.map((count) => ({ name: String(count), about: count === 1 ? '1 host' : `${count} hosts` }));
/** @type {import('../lib/report.mjs').Metric} */
const rate = { name: 'rate', label: 'orders/s', digits: 0, higherIsBetter: true };
const p99 = { name: 'p99', label: 'p99 ms until the models', digits: 0 };
const left = { name: 'left', label: 'complete after ms', digits: 0 };
const server = { name: 'server', label: 'processors of the database', digits: 1 };
/** @type {import('../lib/report.mjs').Metric} */
const followed = { name: 'followed', label: 'events/s', digits: 0, higherIsBetter: true };
const hostScript = fileURLToPath(new URL('host.mjs', import.meta.url));
const limitMs = 10 * 60_000;
/** An audited order: two events, and a record for each of them and for the command. */
const eventsPerOrder = 6;

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** @type {import('../lib/report.mjs').Benchmark} */
export const benchmark = {
  about: 'hosts on one PostgreSQL that share the perspectives: 1, 2 and 4 of them',
  async run({ quick, progress }) {
    const plan = quick
      ? { rounds: 1, warmUpMs: 1_000, loadMs: 3_000, events: 12_000 }
      : { rounds: 3, warmUpMs: 10_000, loadMs: 14_000, events: 600_000 };
    const cluster = await createCluster();
    const names = subjects.map(({ name }) => name);
    /** @param {string} mode @param {(url: string, hosts: number) => Promise<Record<string, number>>} measure */
    const measured = (mode, measure) =>
      interleave(
        names,
        plan.rounds,
        async (name, round) => measure(await createDatabase(cluster, `${mode}_${name}_${round}`), Number(name)),
        (text) => progress(`${mode} ${text}`),
      );
    try {
      const load = await measured('load', (url, hosts) => underLoad(url, hosts, plan, cluster.processId));
      const caughtUp = await measured('log', (url, hosts) => catchUp(url, hosts, plan.events, cluster.processId));
      const isEnough = availableParallelism() > Math.max(...hostCounts);
      return {
        tables: [
          table('Orders at full speed on every host', subjects, load, [rate, p99, left, server], ['1']),
          table('A log from its start, by three perspectives', subjects, caughtUp, [followed, left, server], ['1']),
        ],
        targets: [
          ...['2', '4'].map((name) =>
            atLeast(
              `${name} hosts, share of ${name} × the orders/s of 1 host`,
              shareOf(ratio(load, name, '1', 'rate'), name),
              0.8,
            ),
          ),
          atMost('4 hosts, p99 until the models have an order, ms', figure(load, '4', 'p99'), 1_000),
        ],
        notes: [
          `the commands and the three perspectives of examples/orders with full audit; 64 orders in flight on each host for ${plan.loadMs / 1_000} s, after ${plan.warmUpMs / 1_000} s of the same load, ${plan.rounds} rounds; hosts and database share the machine`,
          `the log has about ${plan.events} events; three perspectives occupy three hosts at most`,
          ...(isEnough ? [] : [`this machine has ${availableParallelism()} processors: too few for a process each`]),
        ],
      };
    } finally {
      await cluster.remove();
    }
  },
};

/** The part of a linear speed-up. @param {import('../lib/statistics.mjs').Spread} spread @param {string} hosts */
function shareOf({ median, low, high }, hosts) {
  const count = Number(hosts);
  return { median: median / count, low: low / count, high: high / count };
}

/** @param {string} url @param {number} count @param {{ warmUpMs: number, loadMs: number }} plan @param {number} serverId */
async function underLoad(url, count, { warmUpMs, loadMs }, serverId) {
  const hosts = await startHosts(url, count, true);
  try {
    await Promise.all(hosts.map((host) => ask(host, 'load', warmUpMs)));
    const before = serverSeconds(serverId);
    const started = performance.now();
    const loads = await Promise.all(hosts.map((host) => ask(host, 'load', loadMs)));
    const ended = performance.now();
    const used = (serverSeconds(serverId) - before) / ((ended - started) / 1_000);
    await Promise.all(hosts.map((host) => ask(host, 'settle')));
    await ask(hosts[0], 'complete');
    const lags = loads.flatMap(({ lags: own }) => own).toSorted((a, b) => a - b);
    return {
      rate: loads.reduce((total, load) => total + load.rate, 0),
      p99: lags[Math.floor(lags.length * 0.99)] ?? NaN,
      left: performance.now() - started - loadMs,
      server: used,
    };
  } finally {
    await Promise.all(hosts.map(stop));
  }
}

/** @param {string} url @param {number} count @param {number} events @param {number} serverId */
async function catchUp(url, count, events, serverId) {
  const filling = await startHosts(url, 2, false);
  await Promise.all(filling.map((host) => ask(host, 'fill', events / eventsPerOrder / filling.length)));
  // One of them appends the audit records of both.
  for (const host of filling) await ask(host, 'settle');
  await Promise.all(filling.map(stop));
  const started = performance.now();
  const before = serverSeconds(serverId);
  const hosts = await startHosts(url, count, true);
  try {
    await ask(hosts[0], 'complete');
    const tookMs = performance.now() - started;
    const used = (serverSeconds(serverId) - before) / (tookMs / 1_000);
    return { followed: (events * 1_000) / tookMs, left: tookMs, server: used };
  } finally {
    await Promise.all(hosts.map(stop));
  }
}

/** @param {string} url @param {number} count @param {boolean} follows @returns {Promise<ChildProcess[]>} */
async function startHosts(url, count, follows) {
  const hosts = Array.from({ length: count }, () =>
    start([process.execPath, hostScript, url, String(follows)], { ipc: true }),
  );
  await Promise.all(hosts.map((host) => message(host, 'ready', limitMs)));
  return hosts;
}

/** @param {ChildProcess | undefined} host @param {string} action @param {number} [argument] */
function ask(host, action, argument) {
  if (host === undefined) throw new Error('There is no host.');
  const answer = message(host, action, limitMs);
  host.send({ action, argument });
  return answer;
}
