/** Commits of perspectives in memory: what the contract of storages does not say of every database. */
import { describe, expect, it } from 'vitest';
import type { Uuid } from '../json/index.js';
import { newId } from '../messages/index.js';
import {
  InMemoryPerspectives,
  newTables,
  retainedSnapshots,
  type ModelChange,
  type OpenRewind,
  type OutgoingRecord,
  type PerspectiveCommit,
  type RewindChanges,
  type StoppedStream,
  type TablesRef,
} from '../storage/index.js';
import { anyOwner, modelRecord, modelSource, noChanges } from './perspective-records.js';
import { outgoingRecord } from './storage-outbox-cases.js';

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

describe('a commit', () => {
  it('stores nothing unless the progress is the expected one', async () => {
    const storage = new InMemoryPerspectives();
    await commit(storage, { models: [modelRecord('a', '1')] });
    const from = await storage.readProgress('p');
    const models = [modelRecord('b', '2')];
    for (const other of [
      { ...from, revision: 0 },
      { ...from, sequence: 3 },
    ]) {
      expect(() => storage.commitPerspective({ perspective: 'p', from: other, to: 9, ...noChanges, models })).toThrow(
        moved,
      );
    }
    expect(await storage.readProgress('p')).toEqual(from);
    expect(await bodies(storage)).toEqual(['1']);
  });

  it('increases the revision by one; models and progress remember the last commit that changed a model', async () => {
    const storage = new InMemoryPerspectives();
    await commit(storage, { models: [modelRecord('a', '1')] });
    await commit(storage, {});
    const { generation, ...progress } = await storage.readProgress('p');
    expect(progress).toEqual({ sequence: 1, revision: 2, changed: 1 });
    expect(generation).toMatch(/^[0-9a-f-]{36}$/);
    expect(await storage.readModels('p', ['a', 'b'])).toMatchObject([{ id: 'a', revision: 1 }]);
  });

  it('moves a model to another owner', async () => {
    const storage = new InMemoryPerspectives();
    const listed = async (owner: string) =>
      (await storage.listModels('p', { ...anyOwner, owner: { owner, values: {} } })).map(({ body }) => body);
    await commit(storage, { models: [modelRecord('a', '1', 'x'), modelRecord('b', '2', 'x')] });
    await commit(storage, { models: [modelRecord('a', '3', 'y')] });
    expect([await listed('x'), await listed('y'), await listed('z')]).toEqual([['2'], ['3'], []]);
    expect(await storage.countModels('p', { owner: { owner: 'x', values: {} }, principals: null })).toBe(1);
  });

  it('of models tells listeners their ids and the revision', async () => {
    const storage = new InMemoryPerspectives();
    const heard = heardBy(storage);
    await commit(storage, { models: [modelRecord('a', '1'), modelRecord('b', null)] });
    await commit(storage, {});
    await commit(storage, { models: [modelRecord('a', '1')] }, newTables('p', 'rebuilding'));
    expect(heard).toEqual([{ perspective: 'p', ids: ['a', 'b'], revision: 1 }]);
    await expect(storage.changes.flush()).resolves.toBeUndefined();
  });

  it('puts its messages into the outbox, if it has any', async () => {
    const queued: (readonly OutgoingRecord[])[] = [];
    const storage = new InMemoryPerspectives({ queue: (all) => queued.push(all), async *readAfter() {} });
    const outgoing = [outgoingRecord({}), outgoingRecord({})];
    await commit(storage, { outgoing });
    await commit(storage, { outgoing: [] });
    await commit(storage, {});
    expect(queued).toEqual([outgoing]);
  });

  it('resumes streams before it stops others', async () => {
    const storage = new InMemoryPerspectives();
    const stopped = (streamId: Uuid, attempts: number): StoppedStream => {
      return { streamId, eventId: newId(), position: 0, errorName: 'Error', errorMessage: 'no', attempts };
    };
    const [a, b] = [newId(), newId()];
    const [first, second, again] = [stopped(a, 1), stopped(b, 1), stopped(a, 2)];
    await commit(storage, { stopped: [first, second] });
    expect(await storage.readStopped('p')).toEqual([first, second]);
    await commit(storage, { resumed: [a, b], stopped: [again] });
    expect(await storage.readStopped('p')).toEqual([again]);
  });

  it('adds sources, which are read by model and by stream', async () => {
    const storage = new InMemoryPerspectives();
    const [stream, first, second] = [newId(), newId(), newId()];
    const sources = [modelSource('a', stream, 0, first), modelSource('a', stream, 1, second), modelSource('b', stream)];
    await commit(storage, { sources });
    expect(await storage.readSources('p', 'a', null)).toEqual({ sources: sources.slice(0, 2), next: null });
    expect(await storage.readSources('p', 'a', first)).toEqual({ sources: [sources[1]], next: null });
    expect(await storage.readModelIds('p', stream)).toEqual(['a', 'b']);
  });
});

describe('the snapshots of a model', () => {
  const events = Array.from({ length: 8 }, () => newId());
  const snapshot = (i: number) => ({ id: 'k', eventId: events[i]!, body: String(i), version: i });
  const before = async (storage: InMemoryPerspectives, i: number) =>
    (await storage.readSnapshot('p', 'k', events[i]!))?.body;

  it('are in the order of their events, whatever the order in which they were added', async () => {
    const storage = new InMemoryPerspectives();
    await commit(storage, { snapshots: [4, 1, 3].map(snapshot) });
    await commit(storage, { snapshots: [2, 0, 5].map(snapshot) });
    // The five newest are retained.
    expect(retainedSnapshots).toBe(5);
    expect(await Promise.all([6, 5, 4, 3, 2, 1].map((i) => before(storage, i)))).toEqual([
      '5',
      '4',
      '3',
      '2',
      '1',
      undefined,
    ]);
  });

  it('after the event of a rewind are deleted', async () => {
    const storage = new InMemoryPerspectives();
    await commit(storage, { snapshots: [1, 2, 3].map(snapshot) });
    const rewound = [
      { id: 'k', afterEventId: events[2]! },
      { id: 'unknown', afterEventId: null },
    ];
    await commit(storage, { rewound, snapshots: [snapshot(4)] });
    expect([await before(storage, 7), await before(storage, 4)]).toEqual(['4', '2']);
    await commit(storage, { rewound: [{ id: 'k', afterEventId: null }] });
    expect(await before(storage, 7)).toBeUndefined();
  });
});

describe('the open rewinds of a lane', () => {
  const rewind = (streamId: Uuid, eventsReplayed = 0): OpenRewind => {
    return { streamId, startedAt: 1, upTo: { sequence: 3 }, perspectiveNames: ['p'], eventsReplayed };
  };
  const [a, b] = [rewind(newId()), rewind(newId())];
  const progressed = rewind(a.streamId, 5);
  const note = async (
    storage: InMemoryPerspectives,
    known: readonly OpenRewind[],
    open: readonly OpenRewind[],
    lane = 'l',
  ) => {
    const rewinds: RewindChanges = { lane, known, open };
    await commit(storage, { rewinds });
  };

  it('are begun, replaced and completed by commits', async () => {
    const storage = new InMemoryPerspectives();
    expect(await storage.readRewinds('l')).toEqual([]);
    await note(storage, [], [a, b]);
    await note(storage, [a], [progressed]);
    expect(await storage.readRewinds('l')).toEqual([b, progressed]);
    await note(storage, [b], []);
    expect(await storage.readRewinds('l')).toEqual([progressed]);
    await note(storage, [], [a], 'other');
    expect(await storage.readRewinds('other')).toEqual([a]);
    expect(await storage.readRewinds('l')).toEqual([progressed]);
  });

  it('reject a commit that has read other ones, or begins one that is open', async () => {
    const storage = new InMemoryPerspectives();
    await note(storage, [], [a]);
    const progress = await storage.readProgress('p');
    await expect(note(storage, [progressed], [])).rejects.toThrow(moved);
    await expect(note(storage, [a, b], [])).rejects.toThrow(moved);
    await expect(note(storage, [], [progressed])).rejects.toThrow(moved);
    await expect(note(storage, [], [b, progressed])).rejects.toThrow(moved);
    expect(await storage.readRewinds('l')).toEqual([a]);
    expect(await storage.readProgress('p')).toEqual(progress);
  });
});

it('finds the models with a key that have a body, of any owner, up to a limit', async () => {
  const storage = new InMemoryPerspectives();
  const own = (owner: string, body: string | null) => ({ ...modelRecord('k', body, owner), id: `k${owner}` });
  await commit(storage, { models: [own('a', null), own('b', '1'), own('c', '2'), modelRecord('l', '3')] });
  const found = async (key: string, limit: number) =>
    (await storage.findModels('p', key, limit)).map(({ body }) => body);
  expect([await found('k', 10), await found('k', 1), await found('m', 1)]).toEqual([['1', '2'], ['1'], []]);
});
