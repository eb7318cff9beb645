/** Callers of a shop, outside of its hosts: they place orders, pay some of them, and change reminders. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@svc/core';

/** The last answers come within that time once nothing fails any more. The checks report requests without one. */
const answersMs = 90_000;

export class Load {
  /** Each with its `type`, `key`, `requestId`, `orderId`, `outcome` (null: no host has answered it) and `isRejected`: an error said that nothing was stored. */
  requests = [];
  answered = 0;
  /** The errors that hosts answered with, by their codes: how often. */
  errors = new Map();
  #hosts;
  #random;
  #orders = [];
  #open = 0;
  #mayPlace = true;
  #isOpen = true;
  #isAbandoned = false;

  constructor(hosts, random) {
    this.#hosts = hosts;
    this.#random = random;
  }

  /** Places orders until `stop`, at most as many as are `allowed` at the time. */
  async run(allowed) {
    while (this.#isOpen) {
      this.#mayPlace = this.#orders.length < allowed();
      if (this.#mayPlace) this.#orders.push(this.#order());
      await sleep(this.#random() * 60);
    }
  }

  /** Whether callers wait for no answer and may place no order. */
  get isIdle() {
    return this.#open === 0 && !this.#mayPlace;
  }

  /** Places no more orders. Resolves when callers have got every answer that they wait for, or have waited long enough. */
  async stop() {
    this.#isOpen = false;
    const waiting = new AbortController();
    const limit = sleep(answersMs, null, { signal: waiting.signal }).catch(() => {});
    await Promise.race([Promise.all(this.#orders), limit]);
    waiting.abort();
    this.abandon();
  }

  /** Callers wait for nothing more. */
  abandon() {
    this.#isOpen = false;
    this.#isAbandoned = true;
  }

  async #order() {
    this.#open++;
    await this.#trade();
    this.#open--;
  }

  async #trade() {
    const random = this.#random;
    const orderId = newId();
    const payWithinMs = Math.floor(100 + random() * 500);
    const fate = random();
    const revisions = Math.floor(random() * 3);
    const cancels = random() < 0.4;
    await this.#request('PlaceOrder', orderId, { payWithinMs, remindAfterMs: Math.floor(random() * 400) });
    await Promise.all([this.#pay(orderId, fate, payWithinMs), this.#remind(orderId, revisions, cancels)]);
  }

  /** A third is not paid, a third is paid at once, and a third when the time is about to end. */
  async #pay(orderId, fate, payWithinMs) {
    if (fate < 1 / 3) return;
    if (fate > 2 / 3) await sleep(payWithinMs + (this.#random() - 0.5) * 200);
    await this.#request('PayOrder', orderId);
  }

  async #remind(orderId, revisions, cancels) {
    for (let i = 0; i < revisions; i++) {
      await sleep(this.#random() * 300);
      await this.#request('PostponeReminder', orderId, { afterMs: Math.floor(this.#random() * 400) });
    }
    if (!cancels) return;
    await sleep(this.#random() * 300);
    await this.#request('CancelReminder', orderId);
  }

  /** Two of three requests have a key, and are repeated on any host until one answers. The others are sent once. */
  async #request(type, orderId, properties = {}) {
    const requestId = newId();
    const key = this.#random() < 2 / 3 ? requestId : null;
    const sent = { type, key, requestId, orderId, outcome: null, isRejected: false };
    this.requests.push(sent);
    while (!this.#isAbandoned) {
      const host = await this.#anyHost();
      if (host === null) return;
      const answer = await host.handle({ type, key, requestId, orderId, ...properties });
      if ('outcome' in answer) {
        sent.outcome = answer.outcome;
        this.answered++;
        return;
      }
      const [code] = answer.error.split(':', 1);
      this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
      if (key === null) {
        sent.isRejected = answer.isRejected;
        return;
      }
      await sleep(20 + this.#random() * 80);
    }
  }

  async #anyHost() {
    while (!this.#isAbandoned) {
      const ready = this.#hosts().filter(({ isReady }) => isReady);
      if (ready.length > 0) return ready[Math.floor(this.#random() * ready.length)];
      await sleep(10);
    }
    return null;
  }
}
