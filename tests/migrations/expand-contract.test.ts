/**
 * Two versions of a program on one database, as while a deployment replaces one by the other: commands and queries go to both
 * without a pause while an indexed property is added (expand), and later taken away again (contract).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, type Uuid } from '@svc/core';
import type { MigrationOptions } from '@svc/core/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { place } from '../perspectives/perspective-shop.js';
import { collect } from '../system-events/shop.js';
import { useDatabases, type TrialDatabase } from './databases.js';
import { note, notes, placed, recordOf, startProgram, type Notes, type Program } from './notes.js';

const databases = useDatabases();

const slowly: MigrationOptions = { batchSize: 2 };
const orderCount = 150;

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  beforeEach(async () => void (database = await databases[kind]!()));
  afterEach(() => database.remove());

  it('both versions serve commands and queries while a column is added and removed; nothing fails and nothing is lost', async () => {
    const expected = new Map<Uuid, Notes>();
    const write = async ({ service }: Program, order: Uuid, text: string): Promise<void> => {
      await place(service, text, order);
      expected.set(order, { note: text, placed: (expected.get(order)?.placed ?? 0) + 1 });
    };
    const older = await startProgram(database.storage([], slowly), notes([placed]));
    const all = Array.from({ length: orderCount }, () => newId());
    await Promise.all(all.map((order) => write(older, order, 'first')));
    await older.service.idle();

    // Expand: the new version starts beside the old one, which goes on.
    const newer = await startProgram(database.storage([], slowly), notes([note, placed]));
    expect(await recordOf(database)).toMatchObject({ status: 4, strategy: 'ColumnCopy' });
    const traffic = new Traffic([older, newer], all, write);
    await newer.storage.migrations.idle();
    expect(traffic.requests, 'while the column arrived').toBeGreaterThan(20);
    await traffic.goOn();
    // Both know it, and both write it.
    const last = await startProgram(database.storage([], slowly), notes([placed]));
    traffic.programs.push(last);
    await traffic.goOn();
    await traffic.stop();
    await untilProcessed([older, newer, last], traffic.latest);

    const stored = await database.query('SELECT key, body, p_note, p_placed FROM svc_perspective_order_notes');
    const found = new Map(stored.map(({ key, ...row }) => [key, row]));
    expect(found.size).toBe(orderCount);
    for (const [order, model] of expected) {
      const { body, ...columns } = found.get(order)!;
      expect(JSON.parse(body as string)).toEqual(model);
      expect({ ...columns, p_placed: Number(columns['p_placed']) }).toEqual({
        p_note: model.note,
        p_placed: model.placed,
      });
    }
    await older.service.stop();
    await last.service.stop();

    // Contract: no running version asks for it any more, and the next one takes it away.
    const contracted = await startProgram(database.storage([], slowly), notes([note]));
    const more = new Traffic([newer, contracted], all, write);
    await contracted.storage.migrations.idle();
    await more.goOn();
    await more.stop();
    expect(await recordOf(database)).toMatchObject({ status: 2, strategy: 'EventReplay' });
    await untilProcessed([newer, contracted], more.latest);
    for (const [order, model] of expected) expect(await contracted.lens.find(order)).toEqual(model);
    await expect(database.query('SELECT p_placed FROM svc_perspective_order_notes')).rejects.toThrow('p_placed');
    for (const { reported } of [older, newer, last, contracted]) expect(reported).toEqual([]);
  }, 60_000);
});

/** Until all programs see the last event of an order in its model. Which of them put it there, and when, is their own affair. */
async function untilProcessed(programs: readonly Program[], order: Uuid): Promise<void> {
  const events = await collect(programs[0]!.service.eventStore.readStream(order));
  for (const { lens } of programs) await lens.waitFor(events.at(-1)!.envelope.id, { timeoutMs: 10_000 });
}

/** One command and two queries at a time, to one program after the other. The first that fails ends it, and fails the test. */
class Traffic {
  readonly programs: Program[];
  requests = 0;
  /** The order that was written last. */
  latest: Uuid;
  readonly #running: Promise<void>;
  #stopped = false;

  constructor(
    programs: readonly Program[],
    orders: readonly Uuid[],
    write: (program: Program, order: Uuid, text: string) => Promise<void>,
  ) {
    this.programs = [...programs];
    this.latest = orders[0]!;
    this.#running = this.#run(orders, write);
    this.#running.catch(() => {});
  }

  /** Some more of it. */
  async goOn(): Promise<void> {
    const enough = this.requests + 60;
    while (!this.#stopped && this.requests < enough) await sleep(5);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(orders: readonly Uuid[], write: (program: Program, order: Uuid, text: string) => Promise<void>) {
    try {
      for (let i = 0; !this.#stopped; i++) {
        const program = this.programs[i % this.programs.length]!;
        const order = orders[(i * 37) % orders.length]!;
        await write(program, order, `note ${i}`);
        this.latest = order;
        const [found, some] = [await program.lens.find(order), await program.lens.list({ limit: 5 })];
        if (found === null || some.length < 5) throw new Error('A query did not find what is there.');
        this.requests += 3;
      }
    } finally {
      this.#stopped = true;
    }
  }
}
