/**
 * Kills: two shops exchange events and commands over RabbitMQ. Their hosts are killed at random moments, each followed by another one, while
 * callers place orders. In longer rounds, PostgreSQL and RabbitMQ restart as well.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { rabbitMqTransport } from '@svc/rabbitmq';
import { openShop } from '../shop/open-shop.mjs';
import { Trade } from '../shop/trade.mjs';

/** A killed host lets callers place that many orders: the next one has work at once, and no backlog grows. */
const ordersPerKill = 4;
const killsPerRestart = 25;

/** `storages` of the two shops, and `hosts` of each one on PostgreSQL. One on SQLite has one host. */
export async function kills({ count, random, storages: [first, second = first], hosts, servers, isOver, onProgress }) {
  const restarts = Math.floor(count / killsPerRestart);
  const node = restarts > 0 || servers.sharedBrokerUrl === null ? await servers.broker() : null;
  const broker = { url: node?.url ?? servers.sharedBrokerUrl, prefix: `${randomBytes(6).toString('hex')}.` };
  for (const name of ['north', 'south']) await openQueues(name, broker);
  const parts = { servers, random, broker };
  const shops = [
    await openShop({ ...parts, name: 'north', other: 'south', storage: first }),
    await openShop({ ...parts, name: 'south', other: 'north', storage: second }),
  ];
  const trade = new Trade(shops, random, (shop) => ordersPerKill * (shop.kills + 2));
  try {
    const killed = () => shops.reduce((sum, shop) => sum + shop.kills, 0);
    const restartDatabase = atFractions([first, second].includes('postgres') ? restarts : 0, async (nth) => {
      const cluster = await servers.cluster();
      await cluster.stop(nth % 2 === 0 ? 'immediate' : 'fast');
      await sleep(random() * 300);
      await cluster.start();
    });
    let restarted = Promise.resolve();
    const brokerRestarts = Math.ceil(restarts / 3);
    const restartBroker = atFractions(brokerRestarts, async (nth) => {
      // Hosts are killed during the seconds in which it starts, too.
      restarted = restarted.then(() => restart(node, nth));
    });
    const onKill = async () => {
      onProgress(killed());
      await restartBroker(killed() / count);
      await restartDatabase(killed() / count);
    };
    await Promise.all(
      shops.flatMap((shop, i) => {
        const [storage, most] = [[first, second][i], i === 0 ? Math.ceil(count / 2) : Math.floor(count / 2)];
        const lanes = storage === 'postgres' ? hosts : 1;
        const pauseMs = storage === 'postgres' ? 300 : 200;
        return Array.from({ length: lanes }, () => shop.killHosts(most, { pauseMs, isOver, onKill }));
      }),
    );
    await restarted;
    const { counts, invariants, histories } = await trade.end();
    const killsAtStart = shops.reduce((sum, shop) => sum + shop.killsAtStart, 0);
    const done = { 'kills while starting': killsAtStart };
    const others = { 'restarts of PostgreSQL': restartDatabase.done(), 'restarts of RabbitMQ': restartBroker.done() };
    return { done: killed(), counts: { ...done, ...others, ...counts }, invariants, histories };
  } finally {
    await trade.remove();
  }
}

/**
 * A host that has never opened its inbox gets no commands: they become dead letters. One that has never subscribed does not get events that were
 * published before. Hosts may be killed before they do either.
 */
async function openQueues(hostName, { url, prefix }) {
  const transport = rabbitMqTransport({ url, prefix, hostName });
  const nothing = () => Promise.reject(new Error('Nothing is sent yet.'));
  const topics = [{ topic: 'news', types: ['news.Announced'] }];
  const opened = [await transport.openInbox(nothing), await transport.subscribe({ name: 'events', topics }, nothing)];
  const isUp = opened.every((each) => each.isUp);
  for (const each of opened) await each.close();
  await transport.close();
  if (!isUp) throw new Error(`Cannot open the queues of ${hostName} on the broker.`);
}

async function restart(node, nth) {
  const mode = nth % 2 === 1 ? 'immediate' : 'fast';
  // A queue that was declared a moment ago is not on the disk yet: a power failure would lose its messages.
  if (mode === 'immediate') await node.flushQueues();
  await node.stop(mode);
  await node.start();
}

/** Calls `act` when the run has passed each of `times` fractions of it. `done()` says how often it did. */
function atFractions(times, act) {
  let done = 0;
  const proceed = async (progress) => {
    if (done >= times || progress < (done + 0.5) / times) return;
    await act(done++);
  };
  return Object.assign(proceed, { done: () => done });
}
