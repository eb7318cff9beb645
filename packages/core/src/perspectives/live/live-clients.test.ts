import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ScopeFilters } from '../../security/index.js';
import {
  around,
  InMemoryPerspectives,
  sortedByKey,
  type ModelChange,
  type PerspectiveStorage,
  type Progress,
} from '../../storage/index.js';
import { ModelOwners } from '../model-owner.js';
import { commitChanges, indexedModel } from '../testing/trial-commits.js';
import { turns } from '../testing/turns.js';
import { LiveModels, pauseMs, pollMs } from './live-models.js';
import type { LiveQuery } from './live-query.js';

const named = { name: 'Orders', owners: new ModelOwners(ScopeFilters.None), columns: [] };
const all: LiveQuery = { owner: null, principals: null, where: [], sort: sortedByKey, limit: 10 };
const ofKey = (key: string): LiveQuery => ({ ...all, key, where: [{ column: 'key', operator: 'eq', value: key }] });

type Call = 'readProgress' | 'readModels' | 'listModels' | 'flush';

let models: InMemoryPerspectives;
let live: LiveModels;
let reported: unknown[];
/** The calls to the storage. */
let calls: Call[];
/** Runs before each call. */
let before: (call: Call, key?: string) => unknown;
/** Changes the progress that is read. */
let toProgress: (progress: Progress) => Progress;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  models = new InMemoryPerspectives();
  [reported, calls, before, toProgress] = [[], [], () => {}, (progress) => progress];
  const at = async <T>(call: Call, work: () => Promise<T>, key?: string): Promise<T> => {
    calls.push(call);
    await before(call, key);
    return await work();
  };
  const storage = around<PerspectiveStorage>(models, {
    readProgress: (tables) => at('readProgress', async () => toProgress(await models.readProgress(tables))),
    readModels: (tables, ids) => at('readModels', () => models.readModels(tables, ids)),
    listModels: (tables, query) => {
      const [only] = query.where ?? [];
      const key = only !== undefined && 'value' in only ? String(only.value) : undefined;
      return at('listModels', () => models.listModels(tables, query), key);
    },
    changes: { listen: () => {}, flush: () => at('flush', () => Promise.resolve()) },
  });
  live = new LiveModels(named, storage, (error) => reported.push(error));
});
afterEach(async () => {
  before = () => {};
  const stopping = live.stop();
  await vi.advanceTimersByTimeAsync(pauseMs);
  await stopping;
  const timers = vi.getTimerCount();
  vi.useRealTimers();
  if (timers > 0) throw new Error(`${timers} timers are left.`);
});

async function after(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await turns();
}

/** Polls once, and returns the calls to the storage. */
async function poll(): Promise<readonly Call[]> {
  await after(pauseMs);
  calls = [];
  await after(pollMs);
  await after(pauseMs);
  return calls;
}

async function store(...keys: readonly string[]): Promise<ModelChange> {
  const { revision } = await models.readProgress('Orders');
  await commitChanges(models, 'Orders', { models: keys.map((key) => indexedModel(key, { body: `${revision}` })) });
  return { perspective: 'Orders', ids: keys, revision: revision + 1 };
}

const onlyProgress: readonly Call[] = ['readProgress'];
const everything: readonly Call[] = ['readProgress', 'readProgress', 'listModels'];

describe('a client', () => {
  it('is counted until it leaves, and its query is read while it has clients', async () => {
    const [first, second, other] = await Promise.all([
      live.watch(all, null),
      live.watch(all, null),
      live.watch(ofKey('b'), null),
    ]);
    expect(live.size).toBe(3);
    first.close();
    first.close();
    expect(live.size).toBe(2);
    await after(pauseMs);
    live.changed(await store('a'));
    await turns();
    expect(second.take()).toMatchObject({ keys: ['a'] });
    second.close();
    expect(live.size).toBe(1);
    await after(pauseMs);
    calls = [];
    live.changed(await store('a'));
    await turns();
    expect(calls).toEqual(['readProgress', 'readModels']);
    other.close();
    expect(live.size).toBe(0);
  });

  it('makes the progress be polled until the last client leaves, once for all clients', async () => {
    const [first, second] = await Promise.all([live.watch(all, null), live.watch(ofKey('a'), null)]);
    await after(pauseMs);
    expect(vi.getTimerCount()).toBe(1);
    first.close();
    expect(vi.getTimerCount()).toBe(1);
    second.close();
    expect(vi.getTimerCount()).toBe(0);
    await live.watch(all, null);
    expect(await poll()).not.toEqual([]);
  });

  it('is ended when the service ends all of them, and can connect again', async () => {
    const watch = await live.watch(all, null);
    let ended = 0;
    watch.listen(
      () => {},
      () => void ended++,
    );
    live.end();
    expect([ended, live.size]).toEqual([1, 0]);
    await after(pauseMs);
    const again = live.watch(all, null);
    await turns();
    expect((await again).take()).not.toBeNull();
  });

  it('is ended when the service stops, and cannot connect again', async () => {
    const watch = await live.watch(all, null);
    let ended = 0;
    watch.listen(
      () => {},
      () => void ended++,
    );
    await after(pauseMs);
    await live.stop();
    expect([ended, live.size, vi.getTimerCount()]).toEqual([1, 0, 0]);
    await expect(live.watch(all, null)).rejects.toMatchObject({ code: 'SVC_SERVICE_STOPPING' });
  });

  it('that waits for its first models is rejected when the service stops', async () => {
    const joining = live.watch(all, null);
    await Promise.all([expect(joining).rejects.toMatchObject({ code: 'SVC_SERVICE_STOPPING' }), live.stop()]);
    expect(calls).toEqual([]);
  });
});

describe('the poll of the progress', () => {
  it('reads no models if nothing has changed since it read them', async () => {
    await store('a');
    await live.watch(all, null);
    expect(await poll()).toEqual(everything);
    expect(await poll()).toEqual(onlyProgress);
    expect(await poll()).toEqual(onlyProgress);
  });

  it('finds a change that no notification announced', async () => {
    const watch = await live.watch(all, null);
    await poll();
    watch.take();
    await store('a');
    expect(await poll()).toEqual([...everything, 'flush']);
    expect(watch.take()).toMatchObject({ kind: 'changes', keys: ['a'] });
  });

  it('reads no models for changes that were announced', async () => {
    await live.watch(all, null);
    await poll();
    live.changed(await store('a'));
    live.changed(await store('b'));
    expect(await poll()).toEqual(onlyProgress);
  });

  it('does not forget an announced change because an older progress was read', async () => {
    await live.watch(all, null);
    await poll();
    const older = await models.readProgress('Orders');
    const change = await store('a');
    toProgress = () => older;
    live.changed({ perspective: 'Orders', ids: null, revision: null });
    live.changed(change);
    await turns();
    toProgress = (progress) => progress;
    expect(await poll()).toEqual(onlyProgress);
  });

  it('reads models of other tables, whatever their revision', async () => {
    await store('a');
    await live.watch(all, null);
    await poll();
    const { revision } = await models.readProgress('Orders');
    for (const older of [revision, revision - 1]) {
      toProgress = () => ({ sequence: 0, revision: older, changed: older, generation: `other-${older}` });
      expect(await poll()).toEqual(everything);
      expect(await poll()).toEqual(onlyProgress);
    }
    toProgress = () => ({ sequence: 0, revision, changed: revision, generation: `other-${revision - 1}` });
    expect(await poll()).toEqual(everything);
  });

  it('reads models each time if the last change is unknown', async () => {
    toProgress = ({ sequence }) => ({ sequence, revision: 5 });
    await live.watch(all, null);
    expect(await poll()).toEqual(everything);
    expect(await poll()).toEqual(everything);
    toProgress = ({ sequence }) => ({ sequence, revision: 6, changed: 5 });
    expect(await poll()).toEqual(onlyProgress);
  });

  it('is not replaced by announcements without a revision or without ids', async () => {
    toProgress = ({ sequence }) => ({ sequence, revision: 0, changed: 0 });
    await live.watch(all, null);
    await after(pauseMs);
    live.changed({ perspective: 'Orders', ids: ['a'], revision: null });
    await turns();
    expect(await poll()).toEqual(everything);
    live.changed({ perspective: 'Orders', ids: null, revision: 7 });
    await turns();
    toProgress = ({ sequence }) => ({ sequence, revision: 7, changed: 7 });
    expect(await poll()).toEqual(everything);
  });

  it('reads models when the database is available again', async () => {
    const watch = await live.watch(all, null);
    await poll();
    await store('a');
    before = () => Promise.reject(new Error('down'));
    await after(pollMs);
    expect(reported).toContainEqual(new Error('down'));
    before = () => {};
    await after(pollMs);
    expect(watch.take()).toMatchObject({ keys: ['a'] });
  });
});
