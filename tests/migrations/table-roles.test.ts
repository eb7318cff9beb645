/** Databases in which the names of tables stated their roles: `~` rebuilding, `~~` migrating, `~~~` retained. */
import { newId, type Uuid } from '@svc/core';
import { tableNamesOf } from '@svc/core/storage';
import { newTables, type PerspectiveDescriptor } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { place } from '../perspectives/perspective-shop.js';
import { useDatabases, type Row, type TrialDatabase } from './databases.js';
import { withoutRoles } from './earlier-schema.js';
import { notes, placed, startProgram, type Program } from './notes.js';

const databases = useDatabases();

/** What was recorded of `infrastructure/perspectives` before there were roles. */
const earlierHash: Readonly<Record<string, string>> = {
  postgres: 'sha256:8e4cd3b7d6a0f48447fa33123c7fc5d5029e816b8ab2f50e795a2111312b8b5d',
  sqlite: 'sha256:3540467d0b59fc05664d87ceb9a2f0aa902f957814b7115f5aeaff86cc2ec6a7',
};

const marks: Readonly<Record<string, string>> = { rebuilding: '~', migrating: '~~', retained: '~~~' };
const nothing = { models: [], sources: [], rewound: [], snapshots: [], stopped: [], resumed: [] };

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  beforeEach(async () => void (database = await databases[kind]!()));
  afterEach(() => database.remove());

  const start = (descriptor: PerspectiveDescriptor<object>): Promise<Program> =>
    startProgram(database.storage(), descriptor);
  const progressOf = (role: string): Promise<Row[]> =>
    database.query(`SELECT sequence, revision, definition FROM svc_perspectives WHERE role = '${role}'`);

  /** Makes of the database what an earlier version would have made. */
  async function toNamesWithMarks(): Promise<void> {
    const others = await database.query("SELECT name, role FROM svc_perspectives WHERE role <> 'serving'");
    await database.query(withoutRoles[kind]!);
    for (const { name, role } of others as { name: string; role: string }[]) {
      const earlier = `OrderNotes${marks[role]}${newId()}`;
      const [from, to] = [tableNamesOf(name), tableNamesOf(earlier)];
      for (const part of ['models', 'sources', 'snapshots'] as const) {
        await database.query(`ALTER TABLE ${from[part]} RENAME TO ${to[part]}`);
      }
      await database.query(`UPDATE svc_perspectives SET name = '${earlier}' WHERE name = '${name}'`);
      await database.query(
        `UPDATE svc_perspectives_stopped SET perspective = '${earlier}' WHERE perspective = '${name}'`,
      );
    }
    await database.query(
      `UPDATE svc_schema_migrations SET hash = '${earlierHash[kind]}', previous_hashes = '[]' WHERE key = 'infrastructure/perspectives'`,
    );
  }

  it('preserves models, progress, retained versions and an interrupted rebuild when names become roles', async () => {
    const orders = Array.from({ length: 20 }, () => newId());
    const older = await start(notes([placed]));
    for (const [i, id] of orders.entries()) await place(older.service, `n${i}`, id);
    await older.service.idle();
    await older.service.stop();
    const newer = await start(notes([placed], 2));
    await newer.storage.migrations.idle();
    await place(newer.service, 'by the newer one', orders[0]);
    await newer.service.idle();
    const { perspectives } = newer.storage;
    const { sequence: reached } = await perspectives.readProgress('OrderNotes');
    const left = newTables('OrderNotes', 'rebuilding');
    const model = {
      id: 'marked',
      key: 'marked',
      owner: '',
      version: 1,
      lastEventId: newId(),
      scope: null,
      body: '{"note":"of the interrupted rebuild","placed":1}',
      indexed: { placed: 1 },
    };
    const from = await perspectives.readProgress(left);
    await perspectives.commitPerspective({
      ...nothing,
      perspective: 'OrderNotes',
      tables: left,
      from,
      to: reached,
      models: [model],
    });
    await newer.service.stop();
    const stopped = { streamId: newId(), eventId: newId(), position: 3, errorName: 'E', errorMessage: '', attempts: 2 };
    const [retained] = await database.query("SELECT name FROM svc_perspectives WHERE role = 'retained'");
    await database.query(
      `INSERT INTO svc_perspectives_stopped (perspective, stream_id, event_id, position, error_name, error_message, attempts)
       VALUES ('${String(retained!['name'])}', '${stopped.streamId}', '${stopped.eventId}', 3, 'E', '', 2)`,
    );
    const roles = ['serving', 'retained', 'rebuilding'];
    const before = await Promise.all(roles.map(progressOf));
    expect(before.map((rows) => rows.length)).toEqual([1, 1, 1]);

    await toNamesWithMarks();
    const reader = database.storage();
    await reader.open?.();
    expect(await Promise.all(roles.map(progressOf))).toEqual(before);
    expect(await database.query("SELECT name FROM svc_perspectives WHERE perspective <> 'OrderNotes'")).toEqual([]);

    // Each version goes on with its own models.
    const [olderAgain, newerAgain] = [await start(notes([placed])), await start(notes([placed], 2))];
    const retainedTables = await olderAgain.storage.perspectives.ownPlace('OrderNotes');
    expect(retainedTables).toMatchObject({ perspective: 'OrderNotes', role: 'retained' });
    expect(await olderAgain.storage.perspectives.readStopped(retainedTables!)).toEqual([stopped]);
    const models = async (id: Uuid): Promise<unknown[]> => [
      await olderAgain.lens.find(id),
      await newerAgain.lens.find(id),
    ];
    expect((await models(orders[7]!))[0]).toEqual({ note: 'n7', placed: 1 });
    expect((await models(orders[7]!))[1]).toEqual({ note: 'n7', placed: 1, loud: 'N7' });
    await place(newerAgain.service, 'more', orders[7]);
    await expect
      .poll(() => models(orders[7]!), { timeout: 10_000 })
      .toEqual([
        { note: 'more', placed: 2 },
        { note: 'more', placed: 2, loud: 'MORE' },
      ]);

    // The rebuild goes on where it was: what it had made is there, and what had happened before is not replayed.
    const rebuilding = await newerAgain.storage.perspectives.readRebuilding('OrderNotes');
    expect(rebuilding).toMatchObject([{ tables: { role: 'rebuilding' }, sequence: reached, isAlike: true }]);
    await newerAgain.service.rebuildPerspective(newerAgain.perspective);
    expect(await newerAgain.storage.perspectives.readRebuilding('OrderNotes')).toEqual([]);
    const stored = await newerAgain.storage.perspectives.readModels('OrderNotes', ['marked', orders[3]!]);
    expect(stored.map(({ id }) => id)).toEqual(['marked']);
    for (const { reported } of [olderAgain, newerAgain]) expect(reported).toEqual([]);
  });

  it('assigns roles to tables that hosts of an earlier version create while it runs', async () => {
    await database.storage().open?.();
    const recorded = (): Promise<Row[]> => database.query('SELECT name, perspective, role FROM svc_perspectives');
    await database.query(
      "INSERT INTO svc_perspectives (name, sequence, revision, definition) VALUES ('OrderNotes~1', -1, 0, '[]')",
    );
    expect(await recorded()).toEqual([{ name: 'OrderNotes~1', perspective: 'OrderNotes', role: 'rebuilding' }]);
    const steps = { OrderNotes: 'serving', 'OrderNotes~~~1': 'retained', 'OrderNotes~~1': 'migrating' };
    for (const [name, role] of Object.entries(steps)) {
      await database.query(`UPDATE svc_perspectives SET name = '${name}'`);
      expect(await recorded()).toEqual([{ name, perspective: 'OrderNotes', role }]);
    }
  });
});
