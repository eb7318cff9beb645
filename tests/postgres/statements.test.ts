/** How many statements a host without load sends to PostgreSQL. Each costs a round trip, also of hosts that do nothing. */
import type { Service } from '@svc/core';
import { postgres } from '@svc/postgres';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { OrderTrace, place, shopWith, traces } from '../perspectives/perspective-shop.js';
import { useDatabase, type TestDatabase } from './test-database.js';

let database: TestDatabase;
useDatabase((created) => (database = created));

/** How many statements deliver audit records, look for events, and read pages of them. */
interface Counts {
  readonly deliveries: number;
  readonly looks: number;
  readonly pages: number;
}

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

/** A service with two perspectives that have processed a first order. */
async function shop(): Promise<Service> {
  const service = shopWith(traces, postgres({ url: database.url })).start();
  await service.ready();
  await place(service, 'first');
  await service.idle();
  return service;
}

it('after a command, the log is read once for its event, and once for its audit records', async () => {
  const service = await shop();
  const statements = new Statements();
  const counts: Counts[] = [];
  for (let i = 0; i < 5; i++) {
    statements.reset();
    const orderId = await place(service, 'next');
    await service.idle();
    expect((await service.lens(OrderTrace).find(orderId))?.ids).toHaveLength(1);
    counts.push({
      deliveries: statements.count('svc-deliver-system'),
      looks: statements.count('svc-read-all-beginning'),
      pages: statements.count('svc-read-types'),
    });
  }
  // The host also looks every second, so not each command has the least. One more look follows events that are appended during a look.
  const isLeast = ({ deliveries, looks, pages }: Counts): boolean => deliveries === 1 && looks <= 3 && pages <= 2;
  expect(counts).toSatisfy((all: readonly Counts[]) => all.some(isLeast));
});

it('a host that finds no new event reads no page of the log', async () => {
  await shop();
  const statements = new Statements();
  await vi.waitUntil(() => statements.count('svc-read-all-beginning') >= 2, { timeout: 30_000 });
  const names = ['svc-read-types', 'svc-reading-gate'];
  expect(names.map((name) => statements.count(name))).toEqual([0, 0]);
});

it('a host reads the progress of all its perspectives with one statement', async () => {
  await shop();
  const statements = new Statements();
  await vi.waitUntil(() => statements.count('svc-read-all-beginning') >= 3, { timeout: 30_000 });
  // Once when it looks for events, once when it looks which hosts share the perspectives, and once to see that no other version has replaced them.
  const looks = statements.count('svc-read-all-beginning') + 2 * statements.count('svc-leases-held');
  expect(statements.count('svc-perspectives-recorded')).toBeLessThanOrEqual(looks + 2);
});
