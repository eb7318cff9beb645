/**
 * Upgrade: hosts of the last release, or of another commit, are replaced by hosts of this version, one by one and under load. Some old hosts stop,
 * others are killed. On SQLite, which has one host, the old one ends first.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openShop, shopProgram } from '../shop/open-shop.mjs';
import { Trade } from '../shop/trade.mjs';
import { programWith } from '../versions.mjs';

const ordersPerHost = 10;

export async function upgrade({ random, storages: [storage], hosts, from, servers, onProgress }) {
  const oldProgram = await programOf(from);
  const shop = await openShop({ name: 'north', storage, servers, random });
  const count = storage === 'postgres' ? hosts : 1;
  let [replaced, killed] = [0, 0];
  const trade = new Trade([shop], random, () => ordersPerHost * (replaced + 1));
  try {
    const old = await Promise.all(Array.from({ length: count }, () => shop.start(oldProgram)));
    for (const host of old) {
      await trade.untilAnswered(1 + Math.floor(random() * ordersPerHost));
      await sleep(random() * 200);
      const isKilled = random() < 0.3;
      if (storage === 'sqlite') await shop.end(host, isKilled);
      await shop.start();
      if (storage === 'postgres') await shop.end(host, isKilled);
      if (isKilled) killed++;
      replaced++;
    }
    await trade.untilAnswered(1 + Math.floor(random() * ordersPerHost));
    onProgress(1);
    const { counts, invariants, histories } = await trade.end();
    return {
      done: 1,
      counts: { 'hosts replaced': replaced, 'old hosts killed': killed, ...counts },
      invariants,
      histories,
    };
  } finally {
    await trade.remove();
  }
}

const programs = new Map();

function programOf(version) {
  if (!programs.has(version)) programs.set(version, programWith(shopProgram, version));
  return programs.get(version);
}
