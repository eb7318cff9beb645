/** The tables of perspectives in memory: their definitions, rebuilds and standings. */
import { describe, expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import {
  InMemoryPerspectives,
  newTables,
  type ModelChange,
  type PerspectiveCommit,
  type StoredRecord,
  type TablesRef,
} from '../storage/index.js';
import { anyOwner, modelRecord, modelSource, noChanges } from './perspective-records.js';
import { pendingRecord } from './records.js';

const moved = expect.objectContaining({ code: 'SVC_PERSPECTIVE_MOVED' });

/** Commits at the current progress, one sequence number further. */
async function commit(
  storage: InMemoryPerspectives,
  changes: Partial<PerspectiveCommit>,
  tables: TablesRef = 'p',
): Promise<void> {
  const from = await storage.readProgress(tables);
  const target = typeof tables === 'string' ? { perspective: tables } : { perspective: 'p', tables };
  storage.commitPerspective({ ...target, from, to: from.sequence + 1, ...noChanges, ...changes });
}

const bodies = async (storage: InMemoryPerspectives, tables: TablesRef = 'p') =>
  (await storage.listModels(tables, anyOwner)).map(({ body }) => body);

function heardBy(storage: InMemoryPerspectives): ModelChange[] {
  const heard: ModelChange[] = [];
  storage.changes.listen((change) => heard.push(change));
  return heard;
}

describe('the definition of a perspective', () => {
  const state = { perspective: 'p', columns: [{ name: 'state', type: 'text' }] } as const;

  it('with other columns deletes its models, and the tables of its rebuilds', async () => {
    const storage = new InMemoryPerspectives();
    storage.define([state, { perspective: 'q', columns: [] }]);
    const rebuilding = newTables('p', 'rebuilding');
    await commit(storage, { models: [modelRecord('a', '1')] });
    await commit(storage, { models: [modelRecord('b', '2')] }, rebuilding);
    await commit(storage, { models: [modelRecord('c', '3')] }, 'q');
    const heard = heardBy(storage);
    storage.define([{ ...state, columns: [] }]);
    expect(await bodies(storage)).toEqual([]);
    expect(await storage.readProgress('p')).toMatchObject({ sequence: -1, revision: 2, changed: 2 });
    expect(await storage.readRebuilding('p')).toEqual([]);
    expect(await bodies(storage, rebuilding)).toEqual([]);
    expect(await bodies(storage, 'q')).toEqual(['3']);
    expect(heard).toEqual([{ perspective: 'p', ids: null, revision: null }]);
  });

  it('with the same columns deletes nothing, also in another version', async () => {
    const storage = new InMemoryPerspectives();
    await commit(storage, { models: [modelRecord('a', '1')] });
    storage.define([state]);
    storage.define([{ ...state, version: 'v2' }]);
    expect(await bodies(storage)).toEqual(['1']);
    expect(await storage.readPerspectives()).toEqual([
      { perspective: 'p', sequence: 0, version: 'v2', indexed: ['state'] },
    ]);
  });

  it('is listed by name in the order of databases', async () => {
    const storage = new InMemoryPerspectives();
    storage.define(['b', '\u{10000}', '\uffff', 'a'].map((perspective) => ({ perspective, columns: [] })));
    const names = (await storage.readPerspectives()).map(({ perspective }) => perspective);
    expect(names).toEqual(['a', 'b', '\uffff', '\u{10000}']);
    expect(await storage.readPerspectives()).toMatchObject([{ sequence: -1, version: null, indexed: [] }, {}, {}, {}]);
  });

  it('determines the place of its models', async () => {
    expect(await new InMemoryPerspectives().ownPlace('p')).toEqual({ perspective: 'p', role: 'serving', name: 'p' });
  });

  it('has the types of the columns by which lists are sorted, also in the tables of a rebuild', async () => {
    const storage = new InMemoryPerspectives();
    storage.define([{ perspective: 'p', columns: [{ name: 'total', type: 'decimal' }] }]);
    const rebuilding = newTables('p', 'rebuilding');
    const model = (total: string) => ({ ...modelRecord(total, total), indexed: { total } });
    const models = [model('10'), model('9')];
    for (const tables of ['p', rebuilding]) {
      await commit(storage, { models }, tables);
      const sort = { column: 'total', descending: false };
      expect((await storage.listModels(tables, { ...anyOwner, sort })).map(({ key }) => key)).toEqual(['9', '10']);
    }
  });
});

describe('tables that replace the serving ones', () => {
  it('begin at their revision, and are greater than both after that', async () => {
    const storage = new InMemoryPerspectives();
    await commit(storage, { models: [modelRecord('a', 'old')] });
    const rebuilding = newTables('p', 'rebuilding');
    expect(await storage.readProgress(rebuilding)).toMatchObject({ sequence: -1, revision: 1, changed: 1 });
    for (const body of ['1', '2']) await commit(storage, { models: [modelRecord('a', body)] }, rebuilding);
    expect(await storage.readRebuilding('p')).toEqual([{ tables: rebuilding, sequence: 1, isAlike: true }]);
    expect(await storage.readRebuilding('q')).toEqual([]);
    const heard = heardBy(storage);
    const [from, byFrom] = [await storage.readProgress('p'), await storage.readProgress(rebuilding)];
    storage.replacePerspective('p', rebuilding, from, byFrom);
    expect(await storage.readProgress('p')).toEqual({ ...byFrom, revision: 4, changed: 4 });
    expect(await bodies(storage)).toEqual(['2']);
    expect(await storage.readRebuilding('p')).toEqual([]);
    expect(heard).toEqual([{ perspective: 'p', ids: null, revision: null }]);
    // They serve from now on.
    await commit(storage, { models: [modelRecord('a', '3')] });
    expect(heard.at(-1)).toEqual({ perspective: 'p', ids: ['a'], revision: 5 });
  });

  it('have a greater revision also if the serving ones had more commits', async () => {
    const storage = new InMemoryPerspectives();
    const rebuilding = newTables('p', 'rebuilding');
    await commit(storage, {}, rebuilding);
    for (let i = 0; i < 3; i++) await commit(storage, {});
    storage.replacePerspective(
      'p',
      rebuilding,
      await storage.readProgress('p'),
      await storage.readProgress(rebuilding),
    );
    expect(await storage.readProgress('p')).toMatchObject({ sequence: 0, revision: 4 });
  });

  it('replace nothing if either has moved', async () => {
    const storage = new InMemoryPerspectives();
    const rebuilding = newTables('p', 'rebuilding');
    const [from, byFrom] = [await storage.readProgress('p'), await storage.readProgress(rebuilding)];
    const later = { ...from, revision: 1 };
    expect(() => storage.replacePerspective('p', rebuilding, later, byFrom)).toThrow(moved);
    expect(() => storage.replacePerspective('p', rebuilding, from, later)).toThrow(moved);
    expect(await storage.readProgress('p')).toEqual(from);
    expect(await storage.readRebuilding('p')).toHaveLength(1);
  });

  it('can be removed instead', async () => {
    const storage = new InMemoryPerspectives();
    const rebuilding = newTables('p', 'rebuilding');
    await commit(storage, {}, rebuilding);
    storage.removeTables(rebuilding);
    expect(await storage.readRebuilding('p')).toEqual([]);
  });
});

it('deletes all data of a perspective, with a greater revision and another generation', async () => {
  const storage = new InMemoryPerspectives();
  await commit(storage, { models: [modelRecord('a', '1')], sources: [modelSource('a', newId())] });
  const { generation } = await storage.readProgress('p');
  const heard = heardBy(storage);
  storage.clearPerspective('p');
  const cleared = await storage.readProgress('p');
  expect(cleared).toMatchObject({ sequence: -1, revision: 2, changed: 2 });
  expect(cleared.generation).not.toBe(generation);
  expect(await bodies(storage)).toEqual([]);
  expect((await storage.readSources('p', 'a', null)).sources).toEqual([]);
  expect(heard).toEqual([{ perspective: 'p', ids: null, revision: null }]);
});

describe('the standing of perspectives', () => {
  const record = (timestamp: number, sequence: number): StoredRecord => {
    const { expectedPosition: _expected, ...event } = pendingRecord(newId(), { timestamp });
    return { ...event, position: 0, sequence };
  };
  const records = [record(5, 0), record(7, 1), record(9, 2)];
  const storageOf = () =>
    new InMemoryPerspectives({
      queue: () => {},
      async *readAfter(sequence) {
        yield* records.slice(sequence + 1);
      },
    });

  it('is how many events they are behind, up to a limit, and when the first happened', async () => {
    const storage = storageOf();
    await commit(storage, {});
    const own = { perspective: 'p', sequence: 0, stopped: 0, behind: 2, oldest: 7 };
    const other = { perspective: 'q', sequence: -1, stopped: 0, behind: 3, oldest: 5 };
    expect(await storage.readStandings(['p', 'q'], 10)).toEqual([own, other]);
    expect(await storage.readStandings(['q', 'p'], 2)).toEqual([{ ...other, behind: 2 }, own]);
    for (let i = 0; i < 2; i++) await commit(storage, {});
    expect(await storage.readStandings(['p'], 10)).toEqual([{ ...own, sequence: 2, behind: 0, oldest: null }]);
  });

  it('counts stopped streams', async () => {
    const storage = storageOf();
    const stopped = { streamId: newId(), eventId: newId(), position: 0, errorName: '', errorMessage: '', attempts: 1 };
    await commit(storage, { stopped: [stopped] });
    expect(await storage.readStandings(['p'], 10)).toMatchObject([{ stopped: 1 }]);
  });
});
