/** The command `svc archive`, and services that read what it has archived. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, newId, type AppliedEvent, type Service } from '@svc/core';
import { folderArchive } from '@svc/core/storage';
import type { MigratingStorage, StoredRecord } from '@svc/core/storage';
import { collect, commitRecord, pendingRecord } from '@svc/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundledProgram } from '../bundled-program.js';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { emittedEvents } from './emitted.js';
import { Started, svc } from './processes.js';

class Counted {
  note = '';
}

/** The notes of each stream, so that a wrong body makes a wrong model. */
class Notes {
  apply(model: { notes: string[] } | null, { note }: Counted, { id }: AppliedEvent): { notes: string[] } {
    return { notes: [...(model?.notes ?? []), `${id} ${note}`] };
  }
}

const registry = {
  messages: [
    {
      type: 'trial.Counted',
      kind: 'event' as const,
      class: Counted,
      read: (value: unknown) => Object.assign(new Counted(), value),
      write: (value: unknown) => JSON.stringify(value),
    },
  ],
  receptors: [],
  endpoints: [],
  perspectives: [
    {
      name: 'Notes',
      class: Notes,
      events: [Counted],
      readModel: (value: unknown) => value as object,
      writeModel: (value: unknown) => JSON.stringify(value),
      create: () => new Notes(),
    },
  ],
  openapi: { paths: {}, components: { schemas: {} } },
};

const databases = useDatabases();
const streams = Array.from({ length: 20 }, () => newId());
const killed = await bundledProgram(new URL('killed-archiver.mjs', import.meta.url));
const points = [
  'before-write',
  'during-write',
  'after-write',
  'after-read',
  'before-commit',
  'during-commit',
  'after-commit',
];

describe.each(Object.keys(databases))('on %s', (kind) => {
  let database: TrialDatabase;
  let folder: string;
  beforeEach(async () => {
    database = await databases[kind]!();
    folder = mkdtempSync(join(tmpdir(), 'svc-archive-'));
  });
  afterEach(async () => {
    await database.remove();
    rmSync(folder, { recursive: true });
  });

  const archive = (...args: string[]) => svc('archive', '--to', folder, ...args, '--database', database.where);

  async function serve(storage: MigratingStorage): Promise<Service> {
    const service = createService(registry).useStorage(storage).addServicePerspectives().start();
    await service.ready();
    await service.idle();
    return service;
  }

  /** A storage that reads the files in the folder. */
  function reading(): MigratingStorage {
    const storage = database.storage();
    storage.archive!.use(folderArchive(folder));
    return storage;
  }

  async function append(storage: MigratingStorage, count: number): Promise<void> {
    const events = Array.from({ length: count }, (_, i) =>
      pendingRecord(streams[i % streams.length]!, { type: 'trial.Counted', body: `{"note":"number ${i}"}` }),
    );
    await storage.commit(commitRecord({ events }));
  }

  const read = async (storage: MigratingStorage): Promise<StoredRecord[]> =>
    (await collect(storage.readAll())).filter(({ type }) => type === 'trial.Counted');

  const modelsOf = (service: Service) => Promise.all(streams.map((stream) => service.lens(Notes).find(stream)));

  const archived = async (): Promise<number> =>
    Number((await database.query('SELECT count(*) AS events FROM svc_events WHERE archive IS NOT NULL'))[0]!['events']);

  it('archives old events, and rebuilds the same models from the files', async () => {
    const storage = database.storage();
    await append(storage, 300);
    const before = await read(storage);
    const service = await serve(database.storage());
    const models = await modelsOf(service);
    expect(models[0]?.notes).toHaveLength(15);
    await service.stop();

    const { code, out, error } = await archive('--before', new Date().toISOString(), '--as', 'ann');
    expect([code, error]).toEqual([0, '']);
    expect(out).toMatch(/^events-0{12}-[0-9a-f]{16}\.jsonl\.gz {2}\d+ events, [\d,]+ bytes\nArchived \d+ events of /);
    expect(await archived()).toBeGreaterThanOrEqual(300);
    expect(readdirSync(folder)).toHaveLength(1);

    const again = reading();
    const rebuilt = await serve(again);
    expect(await read(again)).toEqual(before);
    await rebuilt.rebuildPerspective(Notes);
    expect(await modelsOf(rebuilt)).toEqual(models);
    await rebuilt.stop();
    expect(await emittedEvents(reading(), 'OperationStarted')).toMatchObject([
      { kind: 'archive', requestedBy: 'ann', arguments: { to: folder } },
    ]);
  });

  // The files are written in the same way for both databases.
  it.each(kind === 'sqlite' ? points : points.filter((point) => point.endsWith('commit')))(
    'loses and repeats nothing if the command is killed: %s',
    async (point) => {
      const storage = database.storage();
      await append(storage, 300);
      const before = await read(storage);
      const started = new Started(killed, [kind, database.where, folder, point]);
      expect([await started.ended, started.errors]).toEqual(['SIGKILL', '']);
      expect(await read(reading())).toEqual(before);
      // On SQLite, the lease of a process ends with it; on PostgreSQL, it expires.
      await expect
        .poll(async () => (await archive('--before', new Date().toISOString())).code, { timeout: 15_000 })
        .toBe(0);
      expect(await read(reading())).toEqual(before);
      const files = await reading().archive!.readFiles();
      expect(files.reduce((sum, { events }) => sum + events, 0)).toBe(await archived());
      expect(await archived()).toBeGreaterThanOrEqual(300);
    },
  );

  it('refuses while a perspective is behind', async () => {
    const service = await serve(database.storage());
    await service.stop();
    await append(database.storage(), 10);
    const { code, error } = await archive('--before', new Date().toISOString());
    expect(code).toBe(1);
    expect(error).toContain('Cannot archive more events: the perspective Notes has not processed them.');
    expect(await archived()).toBe(0);
  });

  it('archives after the models of a perspective that no host has were removed', async () => {
    const service = await serve(database.storage());
    const remove = (...args: string[]) =>
      svc('perspectives', 'remove', 'Notes', ...args, '--as', 'ann', '--database', database.where);
    expect(await remove()).toMatchObject({ code: 2, error: expect.stringContaining('Pass --reason') as string });
    const whileRunning = await remove('--reason', 'unused');
    expect([whileRunning.code, whileRunning.error]).toEqual([
      1,
      expect.stringMatching(/^Cannot remove Notes from .*: a running host has it/),
    ]);
    await service.stop();

    await append(database.storage(), 10);
    const now = new Date().toISOString();
    expect((await archive('--before', now)).error).toContain('svc perspectives remove Notes --reason "…"');
    expect(await remove('--reason', 'unused')).toMatchObject({ code: 0, error: '' });
    const { out } = await svc('perspectives', 'list', '--json', '--database', database.where);
    expect(JSON.parse(out)).toMatchObject({ perspectives: [] });
    // Only tables of models are removed.
    expect(await remove('--reason', 'unused')).toMatchObject({
      code: 1,
      error: expect.stringContaining('has no perspective Notes') as string,
    });
    // The outbox has the record of the removal until a host delivers it.
    const host = createService({ ...registry, perspectives: [] })
      .useStorage(database.storage())
      .start();
    await host.ready();
    await host.idle();
    await host.stop();
    expect(await archive('--before', now)).toMatchObject({ code: 0, error: '' });
    expect(await archived()).toBeGreaterThanOrEqual(10);
    expect(await emittedEvents(reading(), 'OperationStarted')).toContainEqual(
      expect.objectContaining({
        kind: 'perspectives.remove',
        requestedBy: 'ann',
        target: 'Notes',
        arguments: { reason: 'unused' },
      }),
    );

    const again = await serve(reading());
    expect((await modelsOf(again))[0]?.notes).toHaveLength(1);
    await again.stop();
  });

  it('reports a damaged file by its name, in the log and in a rebuild', async () => {
    const storage = database.storage();
    await append(storage, 40);
    const service = await serve(database.storage());
    await service.stop();
    expect((await archive('--before', new Date().toISOString())).code).toBe(0);
    const [name] = readdirSync(folder);
    writeFileSync(join(folder, name!), 'damaged');
    const again = reading();
    const rebuilding = await serve(again);
    await expect(rebuilding.rebuildPerspective(Notes)).rejects.toThrow(
      `Cannot read events of the archive file "${name}"`,
    );
    await rebuilding.stop();
  });

  it('counts the files that the database does not use', async () => {
    const storage = database.storage();
    await append(storage, 10);
    writeFileSync(join(folder, 'events-000000000000-0000000000000000.jsonl.gz'), '');
    const { out } = await archive('--before', new Date().toISOString());
    expect(out).toContain('The database does not use 1 file: an interrupted run left it,');
  });
});

it.each([
  [['--to', 'x'], 'No date given'],
  [['--before', '2026-01-01'], 'No folder given'],
  [['--before', 'yesterday', '--to', 'x'], '--before must be a date'],
  [['--before', '2026-01-01T00:00', '--to', 'x'], '--before must be a date'],
  [['--before', '2999-01-01', '--to', 'x'], '--before must not be in the future'],
])('rejects wrong usage: %s', async (args, why) => {
  const { code, error } = await svc('archive', ...args, '--database', 'postgres://127.0.0.1/unopened');
  expect([code, error]).toEqual([2, expect.stringContaining(why)]);
});
