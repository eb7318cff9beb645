/** One round of the live benchmark, on a database that exists. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newId } from '@svc/core';
import { message, start, stop } from '../lib/processes.mjs';

const script = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
export const perSecond = 100;

export const clientProcesses = (/** @type {number} */ connections) => Math.max(1, Math.round(connections / 2_500));

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
    const share = connections / clientProcesses(connections);
    const clients = Array.from({ length: clientProcesses(connections) }, () =>
      start([process.execPath, script('clients.mjs'), String(port), String(share), ...paths], { ipc: true }),
    );
    children.push(...clients);
    await Promise.all(clients.map((client) => message(client, 'connected', 120_000)));
    await sleep(2_000);
    const idle = await memoryOf(host);
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
      bytes: (idle.rss - before.rss) / connections / 1_024,
      held: (idle.rss - idle.young - (before.rss - before.young)) / connections / 1_024,
      sent: reports.reduce((sum, report) => sum + report['received'], 0) / seconds,
    };
  } finally {
    for (const child of children) await stop(child);
  }
}

/** @param {import('node:child_process').ChildProcess} host @returns {Promise<{ rss: number, young: number, watches: number }>} */
async function memoryOf(host) {
  host.send('memory');
  return await message(host, 'memory', 30_000);
}
