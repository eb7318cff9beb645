/**
 * Two hosts on PostgreSQL and one on SQLite are killed at random moments while callers place orders, and PostgreSQL and RabbitMQ restart. In
 * the end nothing is lost, nothing has happened twice, and every process is in a state that its events explain.
 *
 * `SVC_TEST_KILLS=1000` kills that often on each database; `SVC_TEST_SEED` repeats the random choices of a run.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgres } from '@svc/postgres';
import { rabbitMqTransport } from '@svc/rabbitmq';
import { sqlite } from '@svc/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCluster, type Cluster } from '../../tools/postgres/cluster.mjs';
import { createNode, type RabbitMqNode } from '../../tools/rabbitmq/node.mjs';
import { bundledProgram } from '../bundled-program.js';
import { brokerUrl } from '../rabbitmq/test-broker.js';
import { violationsOf } from './checks.js';
import { ofTypes } from './events-of.js';
import { readHistory, type History } from './history.js';
import { Load } from './load.js';
import { seeded } from './seeded.js';
import { Shop } from './shop.js';

const kills = Number(process.env['SVC_TEST_KILLS'] ?? 1);
/** A long run says how far it is, and what it has done. */
const isLong = kills >= 100;
const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e9));
const random = seeded(seed);
const databaseRestarts = Math.max(1, Math.round(kills / 25));
/** A short run uses the broker of all tests, which stays. */
const brokerRestarts = Math.ceil(Math.floor(kills / 25) / 3);
/** A killed host lets callers place that many orders: the next one has work at once, and no backlog grows. */
const ordersPerKill = 4;
const limitMs = 180_000 + kills * 6_000;
/** What is not done, and does not become less for that long, is lost. */
const stalledMs = 30_000;
const folder = mkdtempSync(join(tmpdir(), 'svc-random-kills-'));

let cluster: Cluster | undefined;
let broker: RabbitMqNode | undefined;
let shops: readonly Shop[] = [];

beforeAll(async () => {
  const [program] = await Promise.all([
    bundledProgram(new URL('shop-host.mjs', import.meta.url)),
    createCluster().then((created) => (cluster = created)),
    brokerRestarts === 0 ? null : createNode().then((created) => (broker = created)),
  ]);
  const [url, file] = [cluster!.url, join(folder, 'data.db')];
  const ofBroker = [broker?.url ?? (await brokerUrl()), `${randomBytes(6).toString('hex')}.`] as const;
  for (const name of ['north', 'south']) await openQueues(name, ...ofBroker);
  shops = [
    new Shop({
      name: 'north',
      program,
      args: ['north', 'south', url, ...ofBroker],
      open: () => postgres({ url }),
      random,
    }),
    new Shop({
      name: 'south',
      program,
      args: ['south', 'north', file, ...ofBroker],
      open: () => sqlite({ file }),
      random,
    }),
  ];
}, 240_000);
afterAll(async () => {
  await Promise.all(shops.map((shop) => shop.killAll()));
  await Promise.all([cluster?.remove(), broker?.remove()]);
  rmSync(folder, { recursive: true, force: true });
});

it(
  `loses nothing and does nothing twice in ${kills} kills on each database (seed ${seed})`,
  { timeout: limitMs * 2 },
  async () => {
    const [north, south] = shops as [Shop, Shop];
    const loads = shops.map((shop) => new Load(() => shop.hosts, random));
    const running = loads.map((load, i) => load.run(() => ordersPerKill * (shops[i]!.kills + 2)));

    const restartDatabase = atFractions(databaseRestarts, async (nth) => {
      await cluster!.stop(nth % 2 === 0 ? 'immediate' : 'fast');
      await sleep(random() * 300);
      await cluster!.start();
    });
    let restarted = Promise.resolve();
    const restartBroker = atFractions(brokerRestarts, (nth) => {
      // Hosts are killed during the seconds in which it starts, too.
      restarted = restarted.then(() => restart(broker!, nth));
      return Promise.resolve();
    });
    await Promise.all([
      north.killHosts(kills, 300, () => restartDatabase(north.kills / kills)),
      north.killHosts(kills, 300, () => Promise.resolve()),
      south.killHosts(kills, 200, () => {
        logProgress();
        return restartBroker(south.kills / kills);
      }),
    ]);
    await restarted;
    await Promise.all(loads.map((load) => load.stop()));
    await Promise.all(running);

    const histories = await settledHistories(loads);
    if (isLong) console.log(report(histories));
    expect(shops.flatMap(({ failures }) => failures)).toEqual([]);
    await Promise.all(shops.map((shop) => shop.stop()));
  },
);

/**
 * A host that has never opened its inbox gets no commands: they become dead letters. One that has never subscribed does not get events that were published
 * before. Hosts may be killed before they do either.
 */
async function openQueues(hostName: string, url: string, prefix: string): Promise<void> {
  const transport = rabbitMqTransport({ url, prefix, hostName });
  const nothing = (): Promise<never> => Promise.reject(new Error('Nothing is sent yet.'));
  const topics = [{ topic: 'news', types: ['news.Announced'] }];
  const opened = [await transport.openInbox!(nothing), await transport.subscribe({ name: 'events', topics }, nothing)];
  expect(opened.map(({ isUp }) => isUp)).toEqual([true, true]);
  for (const each of opened) await each.close();
  await transport.close!();
}

async function restart(node: RabbitMqNode, nth: number): Promise<void> {
  const mode = nth % 2 === 1 ? 'immediate' : 'fast';
  // A queue that was declared a moment ago is not on the disk yet: a power failure would lose its messages.
  if (mode === 'immediate') await node.flushQueues();
  await node.stop(mode);
  await node.start();
}

/** Calls `act` when the run has passed each of `times` fractions of it. */
function atFractions(times: number, act: (nth: number) => Promise<void>): (progress: number) => Promise<void> {
  let done = 0;
  return async (progress) => {
    if (done >= times || progress < (done + 0.5) / times) return;
    await act(done++);
  };
}

function logProgress(): void {
  const [north, south] = shops as [Shop, Shop];
  if (isLong && south.kills % 50 === 0) console.log(`${north.kills} kills on PostgreSQL, ${south.kills} on SQLite`);
}

/** Waits until the histories have no violations, and a while later have none either. */
async function settledHistories(loads: readonly Load[]): Promise<readonly [History, History]> {
  const storages = shops.map((shop) => shop.open());
  await Promise.all(storages.map((storage) => storage.open()));
  try {
    let [fewest, changedAt] = [Infinity, performance.now()];
    for (let clean = 0; ;) {
      const read = async (i: number): Promise<History> => readHistory(shops[i]!.name, storages[i]!, loads[i]!.requests);
      const histories = [await read(0), await read(1)] as const;
      const violations = violationsOf(histories);
      clean = violations.length === 0 ? clean + 1 : 0;
      if (clean === 2) return histories;
      if (violations.length < fewest) [fewest, changedAt] = [violations.length, performance.now()];
      if (performance.now() > changedAt + stalledMs) {
        expect(violations.slice(0, 30), `${violations.length} violations, seed ${seed}`).toEqual([]);
      }
      await sleep(1_000);
    }
  } finally {
    await Promise.all(storages.map((storage) => storage.close()));
  }
}

function report(histories: readonly History[]): string {
  const of = (history: History, type: string): number => ofTypes(history, type).length;
  const lines = histories.map((history, i) => {
    const { kills: killed, killsAtStart } = shops[i]!;
    const answered = history.requests.filter(({ outcome }) => outcome !== null).length;
    return [
      `${history.shop}: ${killed} kills (${killsAtStart} while starting)`,
      `${history.requests.length} requests (${answered} answered)`,
      `${history.events.length} events`,
      `${of(history, 'shop.OrderShipped')} orders shipped, ${of(history, 'shop.OrderCancelled')} cancelled`,
      `${of(history, 'shop.Reminded')} of ${of(history, 'shop.ReminderScheduled')} reminders ran`,
    ].join(', ');
  });
  return [...lines, `${databaseRestarts} restarts of PostgreSQL, ${brokerRestarts} of RabbitMQ, seed ${seed}`].join(
    '\n',
  );
}
