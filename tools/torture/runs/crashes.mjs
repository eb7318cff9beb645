/**
 * Crashes: the PostgreSQL server of a shop is killed under load, and started again. Half of the time only its main process is killed; the
 * others end by themselves.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openShop } from '../shop/open-shop.mjs';
import { Trade } from '../shop/trade.mjs';

const ordersPerCrash = 6;
/** The sessions of a killed server hold its shared memory until they notice. */
const restartMs = 30_000;

export async function crashes({ count, random, hosts, servers, isOver, onProgress }) {
  const cluster = await servers.cluster();
  const shop = await openShop({ name: 'north', storage: 'postgres', servers, random });
  let done = 0;
  const trade = new Trade([shop], random, () => ordersPerCrash * (done + 1));
  try {
    await Promise.all(Array.from({ length: hosts }, () => shop.start()));
    while (done < count && !isOver()) {
      // From the first requests of the orders that were allowed to the work in the background that follows the last ones.
      await trade.untilAnswered(1 + Math.floor(random() * ordersPerCrash));
      await sleep(random() * 200);
      if (random() < 0.5) await cluster.kill();
      else await cluster.stop('immediate');
      await sleep(random() < 0.5 ? 0 : random() * 300);
      await restart(cluster);
      onProgress(++done);
    }
    const rejections = trade.rejected;
    const { counts, invariants, histories } = await trade.end();
    return { done, counts: { 'rejections without a database': rejections, ...counts }, invariants, histories };
  } finally {
    await trade.remove();
  }
}

async function restart(cluster) {
  const end = performance.now() + restartMs;
  for (;;) {
    try {
      return await cluster.start();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(50);
    }
  }
}
