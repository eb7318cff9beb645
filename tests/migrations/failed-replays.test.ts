/** A new version of a perspective that cannot apply events of the models that serve. */
import { newId, perspective, type Perspective } from '@svc/core';
import type { PerspectiveDescriptor } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { described, place } from '../perspectives/perspective-shop.js';
import { OrderPlaced } from '../system-events/shop.js';
import { useDatabases, type TrialDatabase } from './databases.js';
import { recordOf, startProgram, type Notes, type Program } from './notes.js';

const databases = useDatabases();

function notes(version: number, failing: string | null = null): PerspectiveDescriptor<object> {
  class OrderNotes implements Perspective<Notes, OrderPlaced> {
    apply(model: Notes | null, { note }: OrderPlaced): Notes {
      if (note === failing) throw new RangeError('cannot apply this note');
      return { note: `${note} of version ${version}`, placed: (model?.placed ?? 0) + 1 };
    }
  }
  perspective({ version })(OrderNotes);
  return described(OrderNotes, [OrderPlaced]);
}

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  beforeEach(async () => void (database = await databases[kind]!()));
  afterEach(() => database.remove());
  const start = (descriptor: PerspectiveDescriptor<object>): Promise<Program> =>
    startProgram(database.storage(), descriptor);

  it('leaves the previous models serving, is unhealthy, and replaces them after the code is fixed', async () => {
    const older = await start(notes(1));
    const orders = [newId(), newId()];
    await place(older.service, 'good', orders[0]);
    await place(older.service, 'bad', orders[1]);
    await older.service.idle();

    const broken = await start(notes(2, 'bad'));
    await broken.storage.migrations.idle();
    expect(await recordOf(database)).toMatchObject({
      status: -1,
      failure_reason: 4,
    });
    expect(broken.storage.migrations.state.failed).toEqual(['perspective/OrderNotes']);
    const record = (await broken.storage.migrations.records()).find(({ key }) => key === 'perspective/OrderNotes');
    expect(JSON.stringify(record)).toMatch(
      new RegExp(
        `models of OrderNotes are not replaced.*failed at 1 stream.*stream ${orders[1]}.*cannot apply this note.*start the service again`,
        'u',
      ),
    );
    for (const { lens } of [older, broken]) {
      expect(await lens.find(orders[1]!)).toEqual({ note: 'bad of version 1', placed: 1 });
    }
    expect(broken.reported).toMatchObject([
      { code: 'SVC_PERSPECTIVE_FAILED', cause: { message: 'cannot apply this note' } },
    ]);
    await broken.service.stop();

    const fixed = await start(notes(2));
    await fixed.storage.migrations.idle();
    await expect
      .poll(() => fixed.lens.find(orders[1]!), { timeout: 10_000 })
      .toEqual({ note: 'bad of version 2', placed: 1 });
  });

  it('replaces models that have stopped at the same streams', async () => {
    const older = await start(notes(1, 'bad'));
    const orders = [newId(), newId()];
    await place(older.service, 'good', orders[0]);
    await place(older.service, 'bad', orders[1]);
    await older.service.idle();
    const newer = await start(notes(2, 'bad'));
    await newer.storage.migrations.idle();
    expect(await recordOf(database)).toMatchObject({ status: 2 });
    await expect
      .poll(() => newer.lens.find(orders[0]!), { timeout: 10_000 })
      .toEqual({ note: 'good of version 2', placed: 1 });
  });
});
