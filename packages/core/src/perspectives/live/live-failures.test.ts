import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ScopeFilters } from '../../security/index.js';
import {
  around,
  InMemoryPerspectives,
  sortedByKey,
  type ModelChange,
  type ModelQuery,
  type PerspectiveStorage,
} from '../../storage/index.js';
import { ModelOwners } from '../model-owner.js';
import { commitChanges, indexedModel } from '../testing/trial-commits.js';
import { turns } from '../testing/turns.js';
import { LiveModels, pauseMs, pollMs } from './live-models.js';
import type { LiveQuery } from './live-query.js';

const named = { name: 'Orders', owners: new ModelOwners(ScopeFilters.None), columns: [] };
const all: LiveQuery = { owner: null, principals: null, where: [], sort: sortedByKey, limit: 10 };
const few: LiveQuery = { ...all, limit: 2 };
const down = new Error('down');
/** Longer than the delay before the first retry. */
const retryMs = 60;

type Call = 'readProgress' | 'readModels' | 'flush' | `list ${number}`;

let models: InMemoryPerspectives;
let live: LiveModels;
let reported: unknown[];
/** The calls to the storage. */
let calls: Call[];
/** The calls that fail. */
let failing: Set<Call>;
/** Runs before each call. */
let before: () => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  models = new InMemoryPerspectives();
  [reported, calls, failing, before] = [[], [], new Set(), () => {}];
  const at = async <T>(call: Call, work: () => Promise<T>): Promise<T> => {
    calls.push(call);
    before();
    const found = await work();
    if (failing.has(call)) throw down;
    return found;
  };
  const storage = around<PerspectiveStorage>(models, {
    readProgress: (tables) => at('readProgress', () => models.readProgress(tables)),
    readModels: (tables, ids) => at('readModels', () => models.readModels(tables, ids)),
    listModels: (tables, query: ModelQuery) => at(`list ${query.limit}`, () => models.listModels(tables, query)),
    changes: { listen: () => {}, flush: () => at('flush', () => Promise.resolve()) },
  });
  live = new LiveModels(named, storage, (error) => reported.push(error));
});
afterEach(async () => {
  const stopping = live.stop();
  await vi.advanceTimersByTimeAsync(pauseMs);
  await stopping;
  const timers = vi.getTimerCount();
  vi.useRealTimers();
  if (timers > 0) throw new Error(`${timers} timers are left.`);
});

/** Returns the calls within a time. */
async function callsWithin(ms: number): Promise<readonly Call[]> {
  calls = [];
  await vi.advanceTimersByTimeAsync(ms);
  await turns();
  return calls;
}

async function store(key: string): Promise<ModelChange> {
  const { revision } = await models.readProgress('Orders');
  await commitChanges(models, 'Orders', { models: [indexedModel(key, { body: `${revision}` })] });
  return { perspective: 'Orders', ids: [key], revision: revision + 1 };
}

describe('a client that connects', () => {
  it('is rejected if the progress cannot be read', async () => {
    failing.add('readProgress');
    await expect(live.watch(all, null)).rejects.toBe(down);
    expect(live.size).toBe(0);
  });

  it('is rejected if its models cannot be read, but not the others', async () => {
    failing.add('list 2');
    const [accepted] = await Promise.all([live.watch(all, null), expect(live.watch(few, null)).rejects.toBe(down)]);
    expect(accepted.take()).toMatchObject({ kind: 'page' });
    expect([live.size, reported]).toEqual([1, []]);
  });

  it('is rejected if a crash of the database could lose what it would get', async () => {
    failing.add('flush');
    await expect(live.watch(all, null)).rejects.toBe(down);
    failing.clear();
    expect(reported).toEqual([down]);
    expect(live.size).toBe(0);
  });

  it('can try again', async () => {
    failing.add('list 10');
    await expect(live.watch(all, null)).rejects.toBe(down);
    await callsWithin(pauseMs);
    failing.clear();
    const joining = live.watch(all, null);
    await turns();
    expect((await joining).take()).toMatchObject({ kind: 'page' });
  });
});

describe('a client of a live query', () => {
  it('gets a change after the database was unavailable for a moment', async () => {
    const watch = await live.watch(all, null);
    watch.take();
    await callsWithin(pauseMs);
    for (const call of ['readProgress', 'readModels', 'flush'] as const) {
      failing.add(call);
      reported = [];
      live.changed(await store(call));
      await turns();
      expect([reported, watch.take()]).toEqual([[down], null]);
      failing.clear();
      await callsWithin(retryMs);
      expect(watch.take()?.keys).toContain(call);
      await callsWithin(pauseMs);
    }
  });

  it('is not ended if its models cannot be read, and gets them at the next poll', async () => {
    const [watch, other] = await Promise.all([live.watch(few, null), live.watch(all, null)]);
    for (const one of [watch, other]) one.take();
    await callsWithin(pollMs);
    await callsWithin(pauseMs);
    failing.add('list 2');
    live.changed(await store('a'));
    await turns();
    expect(other.take()).toMatchObject({ keys: ['a'] });
    expect([watch.take(), live.size, reported]).toEqual([null, 2, []]);
    failing.clear();
    expect(await callsWithin(pollMs)).toEqual(['readProgress', 'readProgress', 'list 2', 'list 10', 'flush']);
    expect(watch.take()).toMatchObject({ keys: ['a'] });
    expect(other.take()).toBeNull();
  });

  it('gets its models at a later poll if they cannot be read at the first one', async () => {
    const watch = await live.watch(few, null);
    watch.take();
    await store('a');
    failing.add('list 2');
    await callsWithin(pollMs + pauseMs);
    expect(watch.take()).toBeNull();
    failing.clear();
    await callsWithin(pollMs);
    expect(watch.take()).toMatchObject({ keys: ['a'] });
  });

  it('that leaves while the database is unavailable is not worked for any longer', async () => {
    const watch = await live.watch(all, null);
    await callsWithin(pauseMs);
    failing.add('readProgress');
    live.changed(await store('a'));
    await turns();
    expect(reported).toEqual([down]);
    watch.close();
    await callsWithin(retryMs);
    expect(reported).toEqual([down]);
    expect(await callsWithin(pollMs)).toEqual([]);
  });

  it('that leaves while the progress is read does not learn that this fails, nor does the log', async () => {
    const watch = await live.watch(all, null);
    await callsWithin(pauseMs);
    failing.add('readProgress');
    before = () => watch.close();
    live.changed(await store('a'));
    await turns();
    expect([await callsWithin(retryMs), reported]).toEqual([[], []]);
  });
});
