/** The callers of a simulation: they send requests, and repeat those with a key until they are answered. */
import { network } from './scheduler.mjs';

export class Clients {
  /** Every request with what its caller knows: `{ request, outcome, attempts }`. */
  sent = [];
  /** Models that callers have read. */
  reads = [];
  #world;
  #pending = new Set();

  /** `world`: `{ scheduler, random, faults, hosts, trace }`. */
  constructor(world) {
    this.#world = world;
  }

  /** How many requests are not settled. */
  get open() {
    return this.sent.filter(({ isSettled }) => !isSettled).length;
  }

  send(request) {
    const entry = { request, outcome: null, attempts: 0, isSettled: false };
    this.sent.push(entry);
    this.#attempt(entry);
  }

  read(step) {
    const { scheduler, hosts, trace } = this.#world;
    const host = hosts.find(({ name }) => name === step.host);
    if (host.app === null) return;
    const { app, realm } = host;
    scheduler.after(0.5, realm, async () => {
      const labels = await app.read(step.tenant, step.perspective, step.key).catch(() => null);
      if (labels === null) return;
      trace.add('client', `reads ${step.perspective} ${step.key}: ${labels.join(' ')}`);
      this.reads.push({ ...step, labels });
    });
  }

  /** The connections of callers to a host are lost. */
  lost(host) {
    for (const pending of this.#pending) {
      if (pending.host !== host) continue;
      this.#pending.delete(pending);
      this.#world.scheduler.after(1, network, () => this.#failed(pending.entry, 'connection lost'));
    }
  }

  #attempt(entry) {
    const { scheduler, random, hosts } = this.#world;
    const { request } = entry;
    const up = hosts.filter(({ service, app }) => service === request.service && app !== null);
    const isFirst = entry.attempts === 0;
    const host = (isFirst && up.find(({ name }) => name === request.host)) || (up.length > 0 && random.pick(up));
    if (!host) return void scheduler.after(500, network, () => this.#attempt(entry));
    entry.attempts++;
    const pending = { entry, host };
    this.#pending.add(pending);
    const { app } = host;
    const settle = (outcome, isAnswer) =>
      scheduler.after(0.3, network, () => {
        if (!this.#pending.delete(pending)) return;
        if (isAnswer) this.#answered(entry, outcome);
        else this.#failed(entry, outcome);
      });
    const run = async () => {
      try {
        settle(await app.handle(request), true);
      } catch (error) {
        settle(error, false);
      }
    };
    scheduler.after(0.3, host.realm, run);
  }

  #answered(entry, outcome) {
    entry.outcome = outcome;
    entry.isSettled = true;
    this.#world.trace.add('client', `${entry.request.command} ${entry.request.label}: ${outcome}`);
  }

  #failed(entry, error) {
    const { scheduler, random, trace } = this.#world;
    entry.error = error;
    trace.add(
      'client',
      `${entry.request.command} ${entry.request.label} failed: ${error.code ?? error.message ?? error}`,
    );
    if (entry.request.key === null) entry.isSettled = true;
    else scheduler.after(100 + random.below(1_000), network, () => this.#attempt(entry));
  }
}
