/** Callers of a shop, outside of its hosts: they place orders, pay some of them, and change reminders. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, type Uuid } from '@svc/core';
import type { SentRequest, ShopRequest } from './requests.js';
import type { ShopHost } from './shop-host.js';

export class Load {
  readonly requests: SentRequest[] = [];
  readonly #hosts: () => readonly ShopHost[];
  readonly #random: () => number;
  readonly #orders: Promise<void>[] = [];
  #isOpen = true;

  constructor(hosts: () => readonly ShopHost[], random: () => number) {
    this.#hosts = hosts;
    this.#random = random;
  }

  /** Places orders until `stop`, at most as many as are `allowed` at the time. */
  async run(allowed: () => number): Promise<void> {
    while (this.#isOpen) {
      if (this.#orders.length < allowed()) this.#orders.push(this.#order());
      await sleep(this.#random() * 60);
    }
  }

  /** Places no more orders. Resolves when callers have got every answer that they wait for. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    await Promise.all(this.#orders);
  }

  async #order(): Promise<void> {
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
  async #pay(orderId: Uuid, fate: number, payWithinMs: number): Promise<void> {
    if (fate < 1 / 3) return;
    if (fate > 2 / 3) await sleep(payWithinMs + (this.#random() - 0.5) * 200);
    await this.#request('PayOrder', orderId);
  }

  async #remind(orderId: Uuid, revisions: number, cancels: boolean): Promise<void> {
    for (let i = 0; i < revisions; i++) {
      await sleep(this.#random() * 300);
      await this.#request('PostponeReminder', orderId, { afterMs: Math.floor(this.#random() * 400) });
    }
    if (!cancels) return;
    await sleep(this.#random() * 300);
    await this.#request('CancelReminder', orderId);
  }

  /** Two of three requests have a key, and are repeated on any host until one answers. The others are sent once. */
  async #request(type: ShopRequest['type'], orderId: Uuid, properties: Partial<ShopRequest> = {}): Promise<void> {
    const requestId = newId();
    const key = this.#random() < 2 / 3 ? requestId : null;
    const sent: SentRequest = { type, key, requestId, orderId, outcome: null };
    this.requests.push(sent);
    for (;;) {
      const host = await this.#anyHost();
      const answer = await host.handle({ type, key, requestId, orderId, ...properties });
      if ('outcome' in answer) sent.outcome = answer.outcome;
      if (key === null || sent.outcome !== null) return;
      await sleep(20 + this.#random() * 80);
    }
  }

  async #anyHost(): Promise<ShopHost> {
    for (;;) {
      const ready = this.#hosts().filter(({ isReady }) => isReady);
      if (ready.length > 0) return ready[Math.floor(this.#random() * ready.length)]!;
      await sleep(10);
    }
  }
}
