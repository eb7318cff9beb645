/** How many statements a host without load sends to PostgreSQL. Each costs a round trip, also of hosts that do nothing. */
import type { Service } from '@svc/core';
import { postgres } from '@svc/postgres';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { described, OrderTrace, place, shopWith } from '../perspectives/perspective-shop.js';
import { OrderPaid, OrderPlaced } from '../system-events/shop.js';
import { useDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
useDatabase((created) => (database = created));

/** Counts the named statements of this process. */
class Statements {
  readonly #counts = new Map<string, number>();

  constructor() {
    const counts = this.#counts;
    const run = pg.Client.prototype.query;
    const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      const { name } = args[0] as { name?: string };
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
      return Reflect.apply(run, this, args) as never;
    });
    onTestFinished(() => query.mockRestore());
  }

  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  reset(): void {
    this.#counts.clear();
  }
}

/** A service with a perspective that has processed a first order. */
async function shop(): Promise<Service> {
  const service = shopWith([described(OrderTrace, [OrderPlaced, OrderPaid])], postgres({ url: database.url })).start();
  await service.ready();
  await place(service, 'first');
  await service.idle();
  return service;
}

it('after a command, the log is read once for its event, and once for its audit records', async () => {
  const service = await shop();
  const statements = new Statements();
  // The perspective also looks every second: the command runs just after such a look.
  await vi.waitUntil(() => statements.count('svc-read-all-beginning') > 0, { timeout: 30_000, interval: 1 });
  await service.idle();
  statements.reset();
  const orderId = await place(service, 'second');
  await service.idle();
  expect((await service.lens(OrderTrace).find(orderId))?.ids).toHaveLength(1);
  expect([statements.count('svc-deliver-system'), statements.count('svc-reading-gate')]).toEqual([1, 0]);
  // It also looks once if the audit records are appended while it looks for the event.
  expect(statements.count('svc-read-all-beginning')).toBeLessThanOrEqual(3);
  expect(statements.count('svc-read-types')).toBeLessThanOrEqual(2);
});

it('a host that finds no new event reads no page of the log', async () => {
  await shop();
  const statements = new Statements();
  await vi.waitUntil(() => statements.count('svc-read-all-beginning') >= 2, { timeout: 30_000 });
  const names = ['svc-read-types', 'svc-reading-gate', 'svc-deliver-system'];
  expect(names.map((name) => statements.count(name))).toEqual([0, 0, 0]);
});
