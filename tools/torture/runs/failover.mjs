/**
 * Failover: the PostgreSQL primary of a shop is killed under load, and its synchronous standby is promoted. The old primary becomes the next
 * standby.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createCluster } from '../../postgres/cluster.mjs';
import { execute } from '../servers.mjs';
import { shopOn } from '../shop/open-shop.mjs';
import { Trade } from '../shop/trade.mjs';

const ordersPerFailover = 10;
const standbyName = 'standby';
const synchronousMs = 30_000;

export async function failover({ count, random, hosts, isOver, onProgress }) {
  let primary = await createCluster();
  let standby = null;
  let trade = null;
  try {
    standby = await primary.createStandby(standbyName);
    await waitForEachCommit(primary);
    const second = new URL(standby.url).host;
    const where = `${primary.url.replace(/(?=\/postgres$)/, `,${second}`)}?target_session_attrs=read-write`;
    const shop = await shopOn(where, { name: 'north', random });
    let [done, withoutAnswersMs] = [0, 0];
    trade = new Trade([shop], random, () => ordersPerFailover * (done + 1));
    await Promise.all(Array.from({ length: hosts }, () => shop.start()));
    while (done < count && !isOver()) {
      await trade.untilAnswered(1 + Math.floor(random() * ordersPerFailover));
      await sleep(random() * 200);
      const killedAt = performance.now();
      await primary.kill();
      await sleep(random() * 500);
      await standby.promote();
      // As an operator does who prefers commits without a standby to none.
      await configure(standby, 'RESET synchronous_standby_names');
      onProgress(++done);
      await trade.untilAnswered(1);
      withoutAnswersMs += performance.now() - killedAt;
      [primary, standby] = [standby, primary];
      await standby.follow(primary, standbyName);
      await waitForEachCommit(primary);
    }
    const { counts, invariants, histories } = await trade.end();
    const seconds = Math.round(withoutAnswersMs / 1_000);
    return { done, counts: { 'seconds from kills to the next answers': seconds, ...counts }, invariants, histories };
  } finally {
    await trade?.remove();
    await Promise.all([primary.remove(), standby?.remove()]);
  }
}

/** From then on, a commit is answered when the standby has it, too. */
async function waitForEachCommit(primary) {
  await configure(primary, `SET synchronous_standby_names = '${standbyName}'`);
  const end = performance.now() + synchronousMs;
  for (;;) {
    const [row] = await execute(primary.url, 'SELECT sync_state FROM pg_stat_replication');
    if (row?.sync_state === 'sync') return;
    if (performance.now() > end) throw new Error('The standby does not follow its primary.');
    await sleep(20);
  }
}

async function configure({ url }, setting) {
  await execute(url, `ALTER SYSTEM ${setting}`);
  await execute(url, 'SELECT pg_reload_conf()');
}
