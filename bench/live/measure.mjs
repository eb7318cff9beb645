/** One round of the live benchmark, on a database that exists. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newId } from '@svc/core';
import { message, start, stop } from '../lib/processes.mjs';

const script = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
export const perSecond = 100;

/** An even number: the memory is also measured with half of the connections. */
export const clientProcesses = (/** @type {number} */ connections) => 2 * Math.max(1, Math.round(connections / 5_000));

/**
 * @param {string} url
 * @param {boolean} isList
 * @param {{ seconds: number, connections: number }} plan
 */
export async function measured(url, isList, { seconds, connections }) {
  const host = start([process.execPath, '--expose-gc', script('host.mjs'), url], { ipc: true });
  const children = [host];
  try {
    const { port } = await message(host, 'listening', 30_000);
    const streams = Array.from({ length: 100 }, () => newId());
    const change = async (/** @type {number} */ count) => {
      host.send({ streams, count, perSecond });
      await message(host, 'changed', 60_000 + (count * 1_000) / perSecond);
    };
    await change(streams.length);
    await sleep(1_500);
    const before = await memoryOf(host);
    const paths = isList ? ['/counters/live?pageSize=100'] : streams.map((id) => `/counters/${id}/live`);
    const processes = clientProcesses(connections);
    /** @type {import('../lib/processes.mjs').ChildProcess[]} */
    const clients = [];
    const connect = async (/** @type {number} */ count) => {
      const share = String(connections / processes);
      const more = Array.from({ length: count }, () =>
        start([process.execPath, script('clients.mjs'), String(port), share, ...paths], { ipc: true }),
      );
      clients.push(...more);
      children.push(...more);
      await Promise.all(more.map((client) => message(client, 'connected', 120_000)));
      await sleep(2_000);
      return await memoryOf(host);
    };
    const half = await connect(processes / 2);
    const idle = await connect(processes / 2);
    if (idle.watches !== connections)
      throw new Error(`The host has ${idle.watches} clients instead of ${connections}.`);

    for (const client of clients) client.send('measure');
    await change(seconds * perSecond);
    await sleep(2_000);
    for (const client of clients) client.send('report');
    const reports = await Promise.all(clients.map((client) => message(client, 'ages', 30_000)));
    const ages = Float64Array.from(reports.flatMap((report) => report['ages'])).toSorted();
    if (ages.length === 0) throw new Error('No connection has received a change.');
    const at = (/** @type {number} */ part) => ages[Math.min(ages.length - 1, Math.floor(ages.length * part))] ?? NaN;
    return {
      p50: at(0.5),
      p99: at(0.99),
      each: (idle.rss - half.rss) / (connections / 2) / 1_024,
      shared: (2 * half.rss - idle.rss - before.rss) / 1_024 / 1_024,
      sent: reports.reduce((sum, report) => sum + report['received'], 0) / seconds,
    };
  } finally {
    for (const child of children) await stop(child);
  }
}

/** @param {import('node:child_process').ChildProcess} host @returns {Promise<{ rss: number, watches: number }>} */
async function memoryOf(host) {
  host.send('memory');
  return await message(host, 'memory', 30_000);
}
