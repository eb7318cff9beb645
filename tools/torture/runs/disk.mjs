/** Disk: the file system of a database becomes full under load, and has room again a moment later. */
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unprivilegedUser } from '../../postgres/processes.mjs';
import { execute } from '../servers.mjs';
import { shopOn } from '../shop/open-shop.mjs';
import { Trade } from '../shop/trade.mjs';
import { createSmallDisk } from '../small-disk.mjs';

const ordersPerFill = 20;
const megabytes = 64;
/** A full database goes on for a while with the pages that it has. */
const noticedMs = 60_000;

export async function disk({ count, random, storages: [storage], hosts, servers, isOver, onProgress }) {
  const small = diskOf(servers);
  let trade = null;
  let remove = async () => {};
  try {
    const database = storage === 'sqlite' ? { where: join(small.path, 'data.db') } : await databaseOn(small, servers);
    remove = database.remove ?? remove;
    const shop = await shopOn(database.where, { name: 'north', random });
    let [done, isFull] = [0, false];
    // While it is full, callers go on until they notice.
    trade = new Trade([shop], random, () => (isFull ? Infinity : ordersPerFill * (done + 1)));
    await Promise.all(Array.from({ length: storage === 'postgres' ? hosts : 1 }, () => shop.start()));
    while (done < count && !isOver()) {
      await trade.untilAnswered(1 + Math.floor(random() * ordersPerFill));
      small.fill();
      isFull = true;
      await rejected(trade, trade.rejected + 1 + Math.floor(random() * 10));
      await sleep(random() * 300);
      small.free();
      isFull = false;
      onProgress(++done);
      await trade.untilAnswered(1);
    }
    const rejections = trade.rejected;
    const { counts, invariants, histories } = await trade.end();
    return { done, counts: { 'rejections for lack of room': rejections, ...counts }, invariants, histories };
  } finally {
    small.free();
    await trade?.remove();
    await remove();
    small.remove();
  }
}

function diskOf(servers) {
  const small = createSmallDisk(servers.createFolder(), megabytes);
  if (small !== null) return small;
  const command = 'unshare --user --map-root-user --mount npm run torture -- disk --storage sqlite';
  throw new Error(`This run mounts a small file system, which this user may not do. Run it as root, or: ${command}`);
}

let tablespaces = 0;

/** A database whose tables are on the small disk. Its log is not: without room for that, the server would end. */
async function databaseOn({ path }, servers) {
  const [cluster, name] = [await servers.cluster(), `small_${++tablespaces}`];
  const location = join(path, 'tables');
  mkdirSync(location, { mode: 0o700 });
  const owner = unprivilegedUser();
  if (owner !== null) chownSync(location, owner.uid, owner.gid);
  await execute(cluster.url, `CREATE TABLESPACE ${name} LOCATION '${location}'`);
  await execute(cluster.url, `CREATE DATABASE ${name} TABLESPACE ${name}`);
  const remove = async () => {
    await execute(cluster.url, `DROP DATABASE ${name} WITH (FORCE)`);
    await execute(cluster.url, `DROP TABLESPACE ${name}`);
  };
  return { where: cluster.urlOf(name), remove };
}

async function rejected(trade, count) {
  const end = performance.now() + noticedMs;
  while (trade.rejected < count) {
    if (performance.now() > end)
      throw new Error(`No command was rejected for ${noticedMs} ms, although the disk is full.`);
    await sleep(10);
  }
}
