/**
 * Broker: three hosts with a database each receive each other's events over RabbitMQ, while the network is cut, confirmations are lost, hosts are
 * killed and the broker restarts.
 */
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { bundledProgram } from '../../build/bundled-program.mjs';
import { countingInvariants, isEverywhere } from '../broker/checks.mjs';
import { CountingHost } from '../broker/counting-host.mjs';
import { TcpProxy } from '../tcp-proxy.mjs';

const names = ['first', 'second', 'third'];
const messagesPerOutage = 3_000;
/** Nothing is answered for that long: something is stuck. */
const stalledMs = 180_000;

export async function broker({ count, random, storages: [storage], servers, isOver, onProgress }) {
  const node = await servers.broker();
  const proxy = await TcpProxy.to(node.port);
  const program = await bundledProgram(new URL('../broker/program.mjs', import.meta.url));
  const prefix = `${randomBytes(6).toString('hex')}.`;
  const hosts = [];
  for (const [i, name] of names.entries()) {
    const isPostgres = storage === 'postgres' && i === 2;
    const where = isPostgres ? await servers.createDatabase() : join(servers.createFolder(), 'data.db');
    hosts.push(new CountingHost(program, { name, names, where, prefix, url: proxy.through(node.url) }));
  }
  const each = Math.ceil(count / hosts.length);
  const counts = {
    'network cuts': 0,
    'lost confirmations': 0,
    'kills of hosts': 0,
    'restarts of RabbitMQ': 0,
  };
  const answers = () => hosts.reduce((sum, { answered }) => sum + answered.length, 0);
  const isDone = () => hosts.every((host) => host.isDone);
  const cut = () => {
    counts['network cuts']++;
    proxy.cut();
  };
  try {
    for (const host of hosts) host.start(each);
    // A queue has what was published since it was declared: no host begins before all have subscribed.
    await until(hosts, () => hosts.every(({ isReady }) => isReady));
    await node.flushQueues();
    for (const host of hosts) host.begin();

    const outages = Math.max(2, Math.round(count / messagesPerOutage));
    for (let i = 1; i <= outages && !isOver(); i++) {
      await until(hosts, () => answers() > (count * i) / (outages + 1) || isOver() || isDone());
      onProgress(answers());
      // The broker publishes what it receives during this time, and the host does not learn it.
      counts['lost confirmations']++;
      proxy.loseAnswers();
      await sleep(random() * 100);
      cut();
      const host = hosts[Math.floor(random() * hosts.length)];
      await sleep(random() * 100);
      await host.kill();
      counts['kills of hosts']++;
      if (i % 2 === 1) {
        await node.stop(random() < 0.5 ? 'fast' : 'immediate');
        host.start(each);
        host.begin();
        await node.start();
        counts['restarts of RabbitMQ']++;
      } else {
        host.start(each);
        host.begin();
        cut();
      }
    }
    const cutting = setInterval(cut, 1_500 + random() * 500);
    try {
      await until(
        hosts,
        () => isOver() || isDone(),
        () => onProgress(answers()),
      );
    } finally {
      clearInterval(cutting);
    }
    if (!isDone()) await Promise.all(hosts.map(onlyReceive));
    await until(hosts, isDone);
    const invariants = await checked(hosts);
    return { done: answers(), counts: { ...counts, 'arrived messages': arrived(invariants) }, invariants };
  } finally {
    await Promise.all(hosts.map((host) => host.kill()));
    await proxy.close();
  }
}

/** A run that is over sends nothing more, and its hosts receive what was sent. */
async function onlyReceive(host) {
  await host.kill();
  host.start(0);
  host.begin();
}

async function checked(hosts) {
  const storages = hosts.map(({ where }) =>
    where.startsWith('postgres:') ? postgres({ url: where }) : sqlite({ file: where }),
  );
  for (const storage of storages) await storage.open();
  try {
    await until(hosts, () => isEverywhere(hosts, storages));
    await Promise.all(hosts.map((host) => host.stop()));
    return await countingInvariants(hosts, storages);
  } finally {
    for (const storage of storages) await storage.close();
  }
}

const arrived = (invariants) => invariants.find(({ name }) => name.startsWith('messages arrive')).checked;

/** Waits for a condition, as long as answers arrive. */
async function until(hosts, isSo, onWait = () => {}) {
  let [before, end] = [-1, 0];
  while (!(await isSo())) {
    onWait();
    const answered = hosts.reduce((sum, host) => sum + host.answered.length, 0);
    if (answered > before) [before, end] = [answered, performance.now() + stalledMs];
    if (performance.now() > end) {
      const state = hosts.map(({ name, errors }) => `${name}: ${errors.slice(-1_000)}`).join('; ');
      throw new Error(`The hosts do not continue for ${stalledMs} ms. ${state}`);
    }
    await sleep(50);
  }
}
