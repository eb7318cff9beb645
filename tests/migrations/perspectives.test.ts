/** The tables of perspectives as items of the start: created, copied and rebuilt while they serve, on both databases. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  MigrationBatchCompleted,
  MigrationBatchStarted,
  MigrationItemCompleted,
  MigrationItemStarted,
  newId,
  type Service,
  type Uuid,
} from '@svc/core';
import type { MigrationOptions } from '@svc/core/storage';
import { libraryVersion } from '@svc/core/hosting';
import { newTables, type PerspectiveDescriptor } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { place } from '../perspectives/perspective-shop.js';
import { collect, systemEvents } from '../system-events/shop.js';
import { useDatabases, type TrialDatabase } from './databases.js';
import { note, notes, placed, recordOf, startProgram, type Program } from './notes.js';

const databases = useDatabases();

async function lastEventOf({ eventStore }: Service, streamId: Uuid): Promise<Uuid> {
  return (await collect(eventStore.readStream(streamId))).at(-1)!.envelope.id;
}

const key = 'perspective/OrderNotes';
const slowly: MigrationOptions = { batchSize: 1 };

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  beforeEach(async () => void (database = await databases[kind]!()));
  afterEach(() => database.remove());

  const start = (descriptor: PerspectiveDescriptor<object>, options?: MigrationOptions): Promise<Program> =>
    startProgram(database.storage([], options), descriptor);
  async function filled(program: Program, count: number): Promise<Uuid[]> {
    const orders = Array.from({ length: count }, () => newId());
    await Promise.all(orders.map((id, i) => place(program.service, `n${i % 7}`, id)));
    await program.service.idle();
    return orders;
  }
  const emitted = async ({ service, storage }: Program): Promise<object[]> => {
    await storage.migrations.emitted();
    await service.idle();
    const all = (await systemEvents(service)).map(({ envelope }) => envelope.payload);
    return all.filter((event) => event.constructor.name.startsWith('Migration'));
  };

  it('DirectDdl: a new perspective is an item of the first start, with its events; the next start skips it', async () => {
    const first = await start(notes([placed]));
    const events = await emitted(first);
    expect(events[0]).toBeInstanceOf(MigrationBatchStarted);
    expect(events[0]).toMatchObject({ totalPerspectives: 1 });
    const own = events.filter((event) => (event as { migrationKey?: string }).migrationKey === key);
    expect(own.map((event) => event.constructor)).toEqual([MigrationItemStarted, MigrationItemCompleted]);
    expect(own).toMatchObject([{ strategy: 'DirectDdl', oldHash: null }, { status: 1 }]);
    expect(events.at(-1)).toBeInstanceOf(MigrationBatchCompleted);
    expect(await recordOf(database)).toMatchObject({ status: 1, strategy: 'DirectDdl' });
    await first.service.stop();
    const second = await start(notes([placed]));
    expect(await emitted(second)).toHaveLength(events.length);
  });

  it.runIf(kind === 'postgres')('ColumnCopy: commits of segments are numbered until the copy has ended', async () => {
    const older = await start(notes([placed]));
    await filled(older, 100);
    await older.service.stop();
    const newer = await start(notes([note, placed]), slowly);
    const isNumbered = "SELECT copied IS NOT NULL AS is_numbered FROM svc_perspectives WHERE name = 'OrderNotes'";
    expect(newer.storage.migrations.state.inBackground).toEqual([key]);
    await expect.poll(() => database.query(isNumbered), { interval: 10 }).toEqual([{ is_numbered: true }]);
    await newer.storage.migrations.idle();
    expect(await database.query(isNumbered)).toEqual([{ is_numbered: false }]);
  });

  it('ColumnCopy: an indexed property is added while the old table serves reads and writes, and only queries by that property wait', async () => {
    const older = await start(notes([placed]));
    const orders = await filled(older, 300);
    await older.service.stop();

    const newer = await start(notes([note, placed]), slowly);
    expect(await recordOf(database)).toMatchObject({ status: 4, strategy: 'ColumnCopy' });
    await expect(newer.lens.list({ sort: 'note' })).rejects.toMatchObject({ code: 'SVC_PROPERTY_NOT_READY' });
    expect(await newer.lens.list({ sort: '-placed', limit: 1 })).toHaveLength(1);
    await place(newer.service, 'again', orders[0]);
    await newer.service.idle();
    expect(await newer.lens.find(orders[0]!)).toEqual({ note: 'again', placed: 2 });
    expect(newer.storage.migrations.state.inBackground).toEqual([key]);

    await newer.storage.migrations.idle();
    expect(await newer.lens.list({ sort: 'note', limit: 1 })).toEqual([{ note: 'again', placed: 2 }]);
    expect(await newer.lens.list({ where: { note: 'n3' }, limit: 100 })).toHaveLength(43);
    expect(await recordOf(database)).toMatchObject({ status: 2, strategy: 'ColumnCopy' });
    const own = (await emitted(newer)).filter((event) => (event as { migrationKey?: string }).migrationKey === key);
    const completed = own.filter((event) => event instanceof MigrationItemCompleted);
    expect(completed.map(({ status }) => status)).toEqual([1, 2]);

    // Taken back under a program that knows the column and has used it: it is told so, and not asked for again and again.
    await newer.storage.migrations.rollBack(key);
    await expect(newer.lens.list({ sort: 'note' })).rejects.toMatchObject({ code: 'SVC_PROPERTY_NOT_READY' });
    expect(newer.reported).toEqual([]);
  });

  it('after a removal, a program with other models creates the tables again, and fills them from all events', async () => {
    const first = await start(notes([placed]));
    const [order] = await filled(first, 20);
    await first.service.stop();
    const storage = database.storage();
    await storage.perspectives.removePerspective('OrderNotes');
    expect(await recordOf(database)).toMatchObject({ hash: null, status: 3, definition: null });
    const again = await start(notes([note, placed], 2));
    expect(await recordOf(database)).toMatchObject({ status: 1, strategy: 'DirectDdl' });
    await again.service.idle();
    expect(await again.lens.find(order!)).toEqual({ note: 'n0', placed: 1, loud: 'N0' });
    expect(await again.lens.list({ where: { note: 'n3' }, limit: 100 })).toHaveLength(3);
    expect(again.reported).toEqual([]);
  });

  it('keeps the changes of a newer program: an older one that starts again serves, and fills columns that it does not know', async () => {
    const [order] = await filled(await start(notes([])), 1);
    const newer = await start(notes([note]));
    await newer.storage.migrations.idle();
    const again = await start(notes([]));
    expect((await again.storage.migrations.plan()).at(-1)).toMatchObject({ action: 'skip' });
    await newer.service.stop();
    await place(again.service, 'by the older one', order);
    await again.service.idle();
    const third = await start(notes([note]));
    // The first one has the lease of their version, and is told.
    await expect
      .poll(() => third.lens.list({ where: { note: 'by the older one' } }), { timeout: 10_000 })
      .toEqual([{ note: 'by the older one', placed: 2 }]);
    expect(again.reported).toEqual([]);
  });

  it('EventReplay: models of another version are rebuilt while the old ones serve, and each version maintains its own', async () => {
    const older = await start(notes([placed]));
    const orders = await filled(older, 200);
    const newer = await start(notes([placed], 2));
    expect(await newer.lens.find(orders[0]!)).toMatchObject({ placed: 1 });
    await newer.storage.migrations.idle();
    expect(await recordOf(database)).toMatchObject({ status: 2, strategy: 'EventReplay', backup: null });
    await expect.poll(() => newer.lens.find(orders[3]!)).toEqual({ note: 'n3', placed: 1, loud: 'N3' });

    // Both take what happens from now on, whichever of them did it.
    const models = async (order: Uuid): Promise<unknown[]> => [
      await older.lens.find(order),
      await newer.lens.find(order),
    ];
    await place(older.service, 'more', orders[3]);
    await expect
      .poll(() => models(orders[3]!), { timeout: 10_000 })
      .toEqual([
        { note: 'more', placed: 2 },
        { note: 'more', placed: 2, loud: 'MORE' },
      ]);
    expect(await older.lens.list({ where: { placed: 2 } })).toEqual([{ note: 'more', placed: 2 }]);

    // The newer one is taken back: nothing has to be done for the older one, nor for one that starts again.
    await newer.service.stop();
    await place(older.service, 'alone', orders[3]);
    await expect.poll(() => older.lens.find(orders[3]!), { timeout: 10_000 }).toEqual({ note: 'alone', placed: 3 });
    await older.service.stop();
    const again = await start(notes([placed]));
    await place(again.service, 'again', orders[3]);
    await expect.poll(() => again.lens.find(orders[3]!), { timeout: 10_000 }).toEqual({ note: 'again', placed: 4 });
    const [standing] = await again.storage.perspectives.readStandings(['OrderNotes'], 10);
    expect(standing).toMatchObject({ perspective: 'OrderNotes', behind: 0 });
    // And the newer one goes on where it was.
    const later = await start(notes([placed], 2));
    await expect
      .poll(() => later.lens.find(orders[3]!), { timeout: 10_000 })
      .toEqual({ note: 'again', placed: 4, loud: 'AGAIN' });

    // Going back for good: whoever starts next makes it what it was, also with an older library.
    await database.query(`UPDATE svc_schema_migrations SET library_version = '99.0.0' WHERE key = '${key}'`);
    await later.storage.migrations.rollBack(key);
    await later.service.stop();
    const back = await start(notes([placed]));
    await back.storage.migrations.idle();
    await expect.poll(() => back.lens.find(orders[3]!), { timeout: 10_000 }).toEqual({ note: 'again', placed: 4 });
    expect(await recordOf(database)).toMatchObject({ status: 2, library_version: libraryVersion });
    for (const { reported } of [older, newer, again, later, back]) expect(reported).toEqual([]);
  });

  it('EventReplay: callers find what they wrote on a host of the old version, also at the moment of the swap', async () => {
    const older = await start(notes([placed]));
    const missing: number[] = [];
    const over = new AbortController();
    const callers = (async () => {
      for (let i = 1; !over.signal.aborted; i++) {
        const order = await place(older.service, 'own');
        await older.lens.waitFor(await lastEventOf(older.service, order));
        if ((await older.lens.find(order)) === null) missing.push(i);
      }
    })();
    const newer = await start(notes([placed], 2));
    await newer.storage.migrations.idle();
    // From now on only the old version has a worker, so the serving models stay as they are.
    await newer.service.stop();
    await sleep(1_500);
    over.abort();
    await callers;
    expect(missing).toEqual([]);
  });

  it('EventReplay: a host that has not read for a while reads models of its own version first', async () => {
    const older = await start(notes([placed]));
    const [order] = await filled(older, 3);
    expect(await older.lens.find(order!)).toEqual({ note: 'n0', placed: 1 });
    const newer = await start(notes([placed], 2));
    await newer.storage.migrations.idle();
    await expect.poll(() => newer.lens.find(order!), { timeout: 10_000 }).toMatchObject({ loud: 'N0' });
    // Hosts notice the swap within 2 s.
    await sleep(2_000);
    expect(await older.lens.find(order!)).toEqual({ note: 'n0', placed: 1 });
  });

  it('EventReplay: as many versions are retained as may run, and the ones with the least progress are dropped', async () => {
    for (const version of [1, 2, 3, 4]) {
      const program = await start(notes([placed], version));
      await program.storage.migrations.idle();
      await place(program.service, `by ${version}`);
      await expect
        .poll(async () => (await program.storage.perspectives.readStandings(['OrderNotes'], 10))[0]?.behind, {
          timeout: 10_000,
        })
        .toBe(0);
      await program.service.stop();
    }
    const retained = await database.query("SELECT name FROM svc_perspectives WHERE role = 'retained'");
    expect(retained).toHaveLength(2);
    for (const version of [2, 3]) {
      const program = await start(notes([placed], version));
      expect(await program.storage.perspectives.ownPlace('OrderNotes')).toMatchObject({ role: 'retained' });
    }
    const oldest = await start(notes([placed]));
    expect(await oldest.storage.perspectives.ownPlace('OrderNotes')).toBeNull();
    // It serves what is there.
    expect(await oldest.lens.list()).toHaveLength(4);
  });

  it('EventReplay: an indexed property is removed or changes its type, and queries by the old type wait', async () => {
    const older = await start(notes([note, { ...placed, type: 'number' }]));
    const orders = await filled(older, 100);
    await older.service.stop();
    const newer = await start(notes([placed]));
    await newer.storage.migrations.idle();
    expect(await recordOf(database)).toMatchObject({ status: 2, strategy: 'EventReplay' });
    expect(await newer.lens.list({ where: { placed: { gt: 0 } }, limit: 100 })).toHaveLength(orders.length);
    const again = await start(notes([note, { ...placed, type: 'number' }]));
    for (const sort of ['note', 'placed'] as const) {
      await expect(again.lens.list({ sort })).rejects.toMatchObject({ code: 'SVC_PROPERTY_NOT_READY' });
    }
    await expect(again.lens.list({ where: { note: 'n3' } })).rejects.toMatchObject({ code: 'SVC_PROPERTY_NOT_READY' });
    await place(again.service, 'by the older one', orders[0]);
    await again.service.idle();
    expect(await newer.lens.list({ where: { placed: 2 } })).toEqual([{ note: 'by the older one', placed: 2 }]);
  });

  it('DataCopyFailed (4): a body that cannot be indexed leaves the old table serving', async () => {
    const older = await start(notes([]));
    await place(older.service, 'x'.repeat(3_000) + '\0');
    await older.service.idle();
    await older.service.stop();
    const newer = await start(notes([note]));
    await newer.storage.migrations.idle();
    expect(await recordOf(database)).toMatchObject({ status: -1 });
    expect(await newer.lens.list()).toHaveLength(1);
  });

  it('restarts a copy when the models are rebuilt during it', async () => {
    const older = await start(notes([placed]));
    const orders = await filled(older, 300);
    const newer = await start(notes([note, placed]), slowly);
    const copied = async (): Promise<number> => {
      const { progress } = (await recordOf(database))!;
      return typeof progress === 'string' ? (JSON.parse(progress) as { rows: number }).rows : Infinity;
    };
    await expect.poll(copied, { interval: 2, timeout: 15_000 }).toBeGreaterThan(100);
    await older.service.rebuildPerspective(older.perspective);
    await expect.poll(copied, { interval: 2, timeout: 5_000 }).toBeLessThan(100);
    await place(older.service, 'late', orders[0]);
    await older.service.idle();
    await newer.storage.migrations.idle();
    expect(await newer.lens.list({ where: { note: 'late' } })).toEqual([{ note: 'late', placed: 2 }]);
    const rows = await database.query('SELECT key FROM svc_perspective_order_notes WHERE p_note IS NOT NULL');
    expect(rows).toHaveLength(orders.length);
  });

  it('does not resume a killed rebuild of another version', async () => {
    const older = await start(notes([placed]));
    await filled(older, 30);
    const left = newTables('OrderNotes', 'rebuilding');
    const { perspectives } = older.storage;
    await perspectives.readProgress(left);
    expect(await perspectives.readRebuilding('OrderNotes')).toEqual([{ tables: left, sequence: -1, isAlike: true }]);
    await older.service.stop();
    const newer = await start(notes([placed], 2));
    await newer.storage.migrations.idle();
    // The host that begins to work has removed it by now, or finds that it is none of its version's.
    for (const { isAlike } of await newer.storage.perspectives.readRebuilding('OrderNotes'))
      expect(isAlike).toBe(false);
    await newer.service.rebuildPerspective(newer.perspective);
    expect(await newer.storage.perspectives.readRebuilding('OrderNotes')).toEqual([]);
    const loud = (await newer.lens.list({ limit: 100 })).map((model) => model.loud);
    expect(loud).toHaveLength(30);
    expect(loud.every((text) => text?.startsWith('N'))).toBe(true);
  });
});
