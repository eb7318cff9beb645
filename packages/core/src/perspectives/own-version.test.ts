import { beforeEach, describe, expect, it } from 'vitest';
import type { Uuid } from '../json/index.js';
import { newId } from '../messages/index.js';
import {
  around,
  behindEverything,
  InMemoryPerspectives,
  PerspectiveDefinedOtherwiseError,
  PerspectiveMovedError,
  type ModelTables,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type SegmentStorage,
} from '../storage/index.js';
import { isInPlace, ofOwnVersion } from './own-version.js';
import { commitChanges, indexedModel, noChanges } from './testing/trial-commits.js';

const serving: ModelTables = { perspective: 'Orders', role: 'serving', name: 'Orders' };
const retained: ModelTables = { perspective: 'Orders', role: 'retained', name: 'Orders.1' };
const rebuilding: ModelTables = { perspective: 'Orders', role: 'rebuilding', name: 'Orders.2' };
const everyOwner = { owner: null, principals: null };
const streamId = newId();
const later = 'ffffffff-ffff-7fff-bfff-ffffffffffff' as Uuid;

let models: InMemoryPerspectives;
/** The tables of this host's version. */
let own: ModelTables | null;

beforeEach(async () => {
  models = new InMemoryPerspectives();
  own = retained;
  for (const tables of [serving, retained, rebuilding]) await fill(tables);
});

/** Stores a model, a source, a snapshot and a stopped stream that all have the name of their tables. */
async function fill(tables: ModelTables): Promise<void> {
  const [id, eventId] = [tables.name, newId()];
  const stopped = { streamId, eventId, position: 0, errorName: tables.name, errorMessage: '', attempts: 1 };
  await commitChanges(models, 'Orders', {
    tables,
    to: 7,
    models: [indexedModel('k', { id, body: tables.name, lastEventId: eventId })],
    sources: [{ id, streamId, block: 0, events: 1, lastEventId: eventId }],
    snapshots: [{ id: 'k', eventId, body: tables.name, version: 1 }],
    stopped: [stopped],
  });
}

const storageWith = (changes: Partial<PerspectiveStorage> = {}): PerspectiveStorage =>
  around<PerspectiveStorage>(models, { ownPlace: () => Promise.resolve(own), ...changes });

/** A progress of models that belong to another version while they are read from the serving tables. */
const ofOtherVersion: Partial<PerspectiveStorage> = {
  async readProgress(tables) {
    const progress = await models.readProgress(tables);
    const isServing = typeof tables !== 'string' && tables.role === 'serving';
    return isServing ? { ...progress, ofOtherVersion: true } : progress;
  },
};

const commit: PerspectiveCommit = {
  perspective: 'Orders',
  from: { sequence: 7, revision: 1 },
  to: 8,
  ...noChanges,
};

type Read = (storage: PerspectiveStorage, tables: 'Orders' | ModelTables) => Promise<unknown>;
const reads: [string, Read, (name: string) => unknown][] = [
  ['the progress', async (from, tables) => (await from.readProgress(tables)).tables?.name, (name) => name],
  [
    'models by their ids',
    async (from, tables) => (await from.readModels(tables, ['Orders', 'Orders.1', 'Orders.2'])).map(({ id }) => id),
    (name) => [name],
  ],
  [
    'models by a key',
    async (from, tables) => (await from.findModels(tables, 'k', 5)).map(({ id }) => id),
    (name) => [name],
  ],
  [
    'a list of models',
    async (from, tables) => (await from.listModels(tables, { ...everyOwner, offset: 0, limit: 5 })).map(({ id }) => id),
    (name) => [name],
  ],
  [
    'stopped streams',
    async (from, tables) => (await from.readStopped(tables)).map(({ errorName }) => errorName),
    (name) => [name],
  ],
  [
    'sources',
    async (from, tables) => (await from.readSources(tables, 'Orders.1', null, null)).sources.length,
    (name) => (name === 'Orders.1' ? 1 : 0),
  ],
  ['the models of a stream', (from, tables) => from.readModelIds(tables, streamId), (name) => [name]],
  ['a snapshot', async (from, tables) => (await from.readSnapshot(tables, 'k', later))?.body, (name) => name],
];

describe('a host whose models are retained', () => {
  it.each(reads)('reads %s from the retained tables', async (_what, read, expected) => {
    const { readers, live, worker } = ofOwnVersion(storageWith());
    for (const storage of [readers, live, worker]) {
      expect(await read(storage, 'Orders')).toEqual(expected('Orders.1'));
      expect(await read(storage, serving)).toEqual(expected('Orders.1'));
    }
  });

  it('counts models of the retained tables', async () => {
    models.removeTables(serving);
    const { readers } = ofOwnVersion(storageWith());
    expect(await readers.countModels('Orders', everyOwner)).toBe(1);
  });

  it.each(reads.slice(1))('reads %s from other tables when these are named', async (_what, read, expected) => {
    const { readers } = ofOwnVersion(storageWith({ ownPlace: () => Promise.reject(new Error('not needed')) }));
    expect(await read(readers, rebuilding)).toEqual(expected('Orders.2'));
  });

  it('reads a segment of the retained tables when a segment is named', async () => {
    const asked: unknown[] = [];
    const { worker } = ofOwnVersion(
      storageWith({ readStopped: (tables) => Promise.resolve(void asked.push(tables)).then(() => []) }),
    );
    const segment = { index: 1, of: 4 };
    await worker.readStopped({ ...serving, segment });
    await worker.readStopped(serving);
    expect(asked).toEqual([{ ...retained, segment }, retained]);
    expect(asked[1]).not.toHaveProperty('segment');
  });

  it('divides and unites the retained tables', async () => {
    const asked: unknown[] = [];
    const segments: SegmentStorage = {
      divideAfterMs: 30,
      divide: (...given) => Promise.resolve(asked.push(given) > 0),
      unite: (...given) => Promise.resolve(asked.push(given) > 0),
      readStandings: (...given) => Promise.resolve(void asked.push(given)).then(() => []),
    };
    const { worker } = ofOwnVersion(storageWith({ segments }));
    const from = { sequence: 7, revision: 1 };
    expect(worker.segments!.divideAfterMs).toBe(30);
    expect(await worker.segments!.divide(serving, from, 4)).toBe(true);
    expect(await worker.segments!.unite(serving)).toBe(true);
    expect(await worker.segments!.readStandings(serving, 9)).toEqual([]);
    expect(asked).toEqual([[retained, from, 4], [retained], [retained, 9]]);
    expect(ofOwnVersion(storageWith()).worker).not.toHaveProperty('segments');
  });

  it('is not in place', async () => {
    expect(await isInPlace('Orders', storageWith())).toBe(false);
    own = serving;
    expect(await isInPlace('Orders', storageWith())).toBe(true);
    own = null;
    expect(await isInPlace('Orders', storageWith())).toBe(false);
  });
});

describe('a host without models of its version', () => {
  beforeEach(() => void (own = null));

  it.each(reads)('reads %s from the serving tables', async (_what, read, expected) => {
    const { readers } = ofOwnVersion(storageWith());
    expect(await read(readers, 'Orders')).toEqual(expected('Orders'));
  });

  it('has no events to process, while readers get the progress of the other version', async () => {
    const { readers, live, worker } = ofOwnVersion(storageWith(ofOtherVersion));
    for (const storage of [readers, live]) {
      expect(await storage.readProgress('Orders')).toMatchObject({
        sequence: 7,
        revision: 1,
        ofOtherVersion: true,
        tables: serving,
      });
    }
    expect(await worker.readProgress('Orders')).toEqual({
      sequence: behindEverything,
      revision: 1,
      ofOtherVersion: true,
      tables: serving,
    });
  });
});

describe('a host whose models serve', () => {
  beforeEach(() => void (own = serving));

  it('processes the events after the progress of its tables', async () => {
    const { worker } = ofOwnVersion(storageWith());
    const progress = await worker.readProgress('Orders');
    expect(progress).toMatchObject({ sequence: 7, revision: 1, tables: serving });
    expect(progress).not.toHaveProperty('ofOtherVersion');
  });

  it('reads the progress of its retained tables once another version has replaced them', async () => {
    for (const name of ['readers', 'worker'] as const) {
      own = serving;
      const storage = ofOwnVersion(storageWith(ofOtherVersion))[name];
      await storage.readStopped('Orders');
      own = retained;
      const progress = await storage.readProgress('Orders');
      expect(progress).toMatchObject({ sequence: 7, tables: retained });
      expect(progress).not.toHaveProperty('ofOtherVersion');
    }
  });

  it('rejects the progress of another version if its own tables cannot be found', async () => {
    const { readers } = ofOwnVersion(storageWith(ofOtherVersion));
    await expect(readers.readProgress('Orders')).rejects.toThrow(PerspectiveDefinedOtherwiseError);
  });

  it('commits to the storage', async () => {
    const { worker } = ofOwnVersion(storageWith());
    await worker.commitPerspective(commit);
    expect((await models.readProgress('Orders')).sequence).toBe(8);
  });

  it('reports a rejected commit as moved, so that the worker reads its progress from the current tables', async () => {
    const rejects = (): Promise<void> => Promise.reject(new PerspectiveDefinedOtherwiseError('Orders'));
    const { worker, readers } = ofOwnVersion(storageWith({ commitPerspective: rejects }));
    expect((await worker.readProgress('Orders')).tables).toEqual(serving);
    own = retained;
    expect((await readers.readProgress('Orders')).tables).toEqual(serving);
    const rejected = worker.commitPerspective(commit);
    await expect(rejected).rejects.toThrow(PerspectiveMovedError);
    await expect(rejected).rejects.toThrow(`up to sequence ${behindEverything}, not 7`);
    expect((await worker.readProgress('Orders')).tables).toEqual(retained);
    expect((await readers.readProgress('Orders')).tables).toEqual(retained);
  });

  it('passes on other failures of a commit', async () => {
    const failure = new Error('down');
    const { worker } = ofOwnVersion(storageWith({ commitPerspective: () => Promise.reject(failure) }));
    await expect(worker.commitPerspective(commit)).rejects.toBe(failure);
  });
});

describe('a storage with a replica', () => {
  it('serves reads of models from the replica, except for live queries and the worker', async () => {
    own = serving;
    const replica = new InMemoryPerspectives();
    const { readers, live, worker } = ofOwnVersion(storageWith({ replica }));
    expect(await readers.readProgress('Orders')).toMatchObject({ sequence: -1 });
    expect(await readers.readModels('Orders', ['Orders'])).toEqual([]);
    expect(await readers.findModels('Orders', 'k', 5)).toEqual([]);
    expect(await readers.listModels('Orders', { ...everyOwner, offset: 0, limit: 5 })).toEqual([]);
    expect(await readers.countModels('Orders', everyOwner)).toBe(0);
    expect(await readers.readStopped('Orders')).toHaveLength(1);
    for (const storage of [live, worker]) {
      expect(await storage.readProgress('Orders')).toMatchObject({ sequence: 7 });
      expect(await storage.readModels('Orders', ['Orders'])).toHaveLength(1);
      expect(await storage.findModels('Orders', 'k', 5)).toHaveLength(1);
      expect(await storage.listModels('Orders', { ...everyOwner, offset: 0, limit: 5 })).toHaveLength(1);
      expect(await storage.countModels('Orders', everyOwner)).toBe(1);
    }
  });
});
