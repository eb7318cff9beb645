/** Shops under load: their callers, and the check of their logs once everything works again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ofTypes } from '../checks/events-of.mjs';
import { readHistory } from '../checks/history.mjs';
import { endedHosts, invariantsOf } from '../checks/invariants.mjs';
import { Load } from './load.mjs';

/** Violations that do not become fewer for that long are final: what is not done by then is lost. */
const stalledMs = 30_000;

export class Trade {
  loads;
  #shops;
  #running;

  /** `allowed` returns how many orders the callers of a shop may have placed so far. */
  constructor(shops, random, allowed) {
    this.#shops = shops;
    this.loads = shops.map((shop) => new Load(() => shop.hosts, random));
    this.#running = this.loads.map((load, i) => load.run(() => allowed(shops[i])));
  }

  get answered() {
    return this.loads.reduce((sum, { answered }) => sum + answered, 0);
  }

  /** How often hosts answered that the database is unavailable. */
  get rejected() {
    return this.loads.reduce((sum, { errors }) => sum + (errors.get('SVC_STORAGE_UNAVAILABLE') ?? 0), 0);
  }

  /** Waits until callers have got that many more answers, or wait for none. Throws if a host has ended. */
  async untilAnswered(more, limitMs = 60_000) {
    const [count, end] = [this.answered + more, performance.now() + limitMs];
    while (this.answered < count && !this.loads.every(({ isIdle }) => isIdle)) {
      const failures = this.#shops.flatMap((shop) => shop.failures);
      if (failures.length > 0) throw new Error(`A host has ended: ${failures.join('\n')}`);
      if (performance.now() > end) throw new Error(`Callers got no answers for ${limitMs} ms.`);
      await sleep(10);
    }
  }

  /** Ends the load, waits until the logs have no violations, stops the hosts, and returns the counts, invariants and histories. */
  async end() {
    await Promise.all(this.loads.map((load) => load.stop()));
    await Promise.all(this.#running);
    const { histories, invariants } = await this.#settled();
    await Promise.all(this.#shops.map((shop) => shop.stop()));
    const failures = this.#shops.flatMap((shop) => shop.failures);
    invariants.push({ name: endedHosts, checked: this.#shops.length, violations: failures });
    return { counts: countsOf(histories), invariants, histories };
  }

  /** Ends everything, also in the middle of a run that fails. */
  async remove() {
    for (const load of this.loads) load.abandon();
    await Promise.all(this.#shops.map((shop) => shop.killAll()));
  }

  /** The histories once they have had no violations twice, or violations that remain. */
  async #settled() {
    const storages = this.#shops.map((shop) => shop.open());
    await Promise.all(storages.map((storage) => storage.open()));
    try {
      let [fewest, changedAt] = [Infinity, performance.now()];
      for (let clean = 0; ;) {
        const histories = [];
        for (const [i, { name, sealKey }] of this.#shops.entries()) {
          histories.push(await readHistory(name, storages[i], this.loads[i].requests, sealKey));
        }
        const invariants = invariantsOf(histories);
        const count = invariants.reduce((sum, { violations }) => sum + violations.length, 0);
        clean = count === 0 ? clean + 1 : 0;
        // One that comes after a clean log has its own time, and ends the run only if it remains.
        if (count < fewest || clean > 0) [fewest, changedAt] = [count === 0 ? Infinity : count, performance.now()];
        if (clean === 2 || performance.now() > changedAt + stalledMs) return { histories, invariants };
        await sleep(1_000);
      }
    } finally {
      await Promise.all(storages.map((storage) => storage.close()));
    }
  }
}

function countsOf(histories) {
  const sum = (count) => histories.reduce((total, history) => total + count(history), 0);
  const of = (...types) => sum((history) => ofTypes(history, ...types).length);
  return {
    requests: sum(({ requests }) => requests.length),
    'answered requests': sum(({ requests }) => requests.filter(({ outcome }) => outcome !== null).length),
    'stored events': sum(({ events }) => events.length),
    'orders shipped': of('shop.OrderShipped'),
    'orders cancelled': of('shop.OrderCancelled'),
    'reminders run': of('shop.Reminded'),
  };
}
