import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ScopeFilters } from '../../security/index.js';
import {
  around,
  InMemoryPerspectives,
  sortedByKey,
  type ModelQuery,
  type PerspectiveStorage,
  type Progress,
} from '../../storage/index.js';
import { ModelOwners } from '../model-owner.js';
import type { LiveWatch } from './live-group.js';
import { commitChanges, indexedModel } from '../testing/trial-commits.js';
import { turns } from '../testing/turns.js';
import { LiveModels, pauseMs } from './live-models.js';
import type { LiveQuery } from './live-query.js';

const owners = new ModelOwners(ScopeFilters.Tenant);
const named = { name: 'Orders', owners, columns: [] };
const all: LiveQuery = { owner: null, principals: null, where: [], sort: sortedByKey, limit: 10 };
const ofKey = (key: string): LiveQuery => ({
  ...all,
  key,
  where: [{ column: 'key', operator: 'eq', value: key }],
  limit: 1,
});
const ofTenant = (tenantId: string): LiveQuery => ({ ...all, owner: owners.condition({ tenantId }) });

type Call = 'readProgress' | 'readModels' | 'listModels' | 'flush';

let models: InMemoryPerspectives;
let live: LiveModels;
let reported: unknown[];
/** The calls to the storage. */
let calls: Call[];
let listed: ModelQuery[];
/** Runs before each call. */
let before: (call: Call) => unknown;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  models = new InMemoryPerspectives();
  [reported, calls, listed, before] = [[], [], [], () => {}];
  const at = async <T>(call: Call, work: () => Promise<T>): Promise<T> => {
    calls.push(call);
    await before(call);
    return await work();
  };
  const storage = around<PerspectiveStorage>(models, {
    readProgress: (tables) => at('readProgress', () => models.readProgress(tables)),
    readModels: (tables, ids) => at('readModels', () => models.readModels(tables, ids)),
    listModels: (tables, query) => {
      listed.push(query);
      return at('listModels', () => models.listModels(tables, query));
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
  vi.useRealTimers();
  if (reported.length > 0) throw reported[0];
});

/** Ends the pause after a round, and forgets the calls until then. */
async function afterPause(): Promise<void> {
  await vi.advanceTimersByTimeAsync(pauseMs);
  await turns();
  [calls, listed] = [[], []];
}

/** Commits models, and returns their ids and the revision. */
async function store(
  keys: Readonly<Record<string, string | null>>,
  tenantId = 'acme',
): Promise<{ perspective: string; ids: string[]; revision: number }> {
  const scope = { tenantId };
  const owner = owners.ofEvent({ scope, metadata: {} });
  const indexed = Object.entries(keys).map(([key, body]) =>
    indexedModel(key, { id: owners.idOf(key, owner), owner, scope, body }),
  );
  const { revision } = await commitChanges(models, 'Orders', { models: indexed });
  return { perspective: 'Orders', ids: indexed.map(({ id }) => id), revision: revision + 1 };
}

/** Counts how often a client learns of a change. */
function countTold(watch: LiveWatch): { times: number } {
  const told = { times: 0 };
  watch.listen(
    () => void told.times++,
    () => {},
  );
  return told;
}

describe('a live query', () => {
  it('has its models as soon as it is watched', async () => {
    await store({ b: '2', a: '1' });
    const watch = await live.watch(all, null);
    expect(watch.take()).toMatchObject({ kind: 'page', isReset: false, keys: ['a', 'b'] });
    expect(calls).toEqual(['readProgress', 'listModels', 'flush']);
    expect(live.size).toBe(1);
  });

  it('of one key lists the models that its conditions describe', async () => {
    await store({ a: '1', b: '2' });
    expect((await live.watch(ofKey('b'), null)).take()).toMatchObject({ keys: ['b'] });
    const { key: _, ...query } = ofKey('b');
    expect(listed).toEqual([{ ...query, offset: 0 }]);
  });

  it('is read once for all clients that join together', async () => {
    await store({ a: '1' });
    const [first, second] = await Promise.all([live.watch(all, null), live.watch({ ...all }, null)]);
    expect(calls).toEqual(['readProgress', 'listModels', 'flush']);
    expect(live.size).toBe(2);
    expect(first.take()).toBe(second.take());
  });

  it('is read again for a client that joins later, without a step for the others', async () => {
    await store({ a: '1' });
    const first = await live.watch(all, null);
    const told = countTold(first);
    const page = first.take();
    await afterPause();
    const joining = live.watch(all, null);
    await turns();
    const second = await joining;
    expect(calls).toEqual(['readProgress', 'listModels']);
    expect([second.take() === page, first.take(), told.times]).toEqual([true, null, 0]);
  });

  it('is not read because a client joins another query', async () => {
    await live.watch(all, null);
    await afterPause();
    const joining = live.watch(ofKey('a'), null);
    await turns();
    await joining;
    expect(listed).toHaveLength(1);
    expect(calls).toEqual(['readProgress', 'listModels', 'flush']);
  });

  it('starts with a reset for a client whose place is of another list, and resumes at one of this list', async () => {
    await store({ a: '1' });
    const [first, other] = await Promise.all([live.watch(all, null), live.watch({ ...all, limit: 1 }, null)]);
    const { place } = first.take()!;
    const { place: ofOther } = other.take()!;
    await store({ b: '2' });
    await afterPause();
    const resuming = live.watch(all, place);
    const resetting = ['no place', 'abc.1.x'].map((text) => live.watch(all, text));
    await turns();
    expect((await resuming).take()).toMatchObject({ kind: 'resumed', from: place, upserts: [{ key: 'b' }] });
    for (const watch of await Promise.all(resetting)) expect(watch.take()).toMatchObject({ isReset: true });
    expect(ofOther).not.toBe(place);
  });

  it('runs with at most three others at the same time', async () => {
    const waiting: (() => void)[] = [];
    before = (call) => (call === 'listModels' ? new Promise<void>((resolve) => waiting.push(resolve)) : undefined);
    const joining = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => live.watch(ofKey(key), null));
    await turns();
    expect(waiting).toHaveLength(4);
    waiting.shift()!();
    await turns();
    expect(waiting).toHaveLength(4);
    before = () => {};
    for (const resolve of waiting) resolve();
    await Promise.all(joining);
    expect(listed).toHaveLength(6);
  });
});

describe('a change of models', () => {
  it('is sent to the clients of the queries that it concerns', async () => {
    await store({ a: '1' });
    const [one, tenant, other, another] = await Promise.all([
      live.watch(ofKey('a'), null),
      live.watch(ofTenant('acme'), null),
      live.watch(ofTenant('other'), null),
      live.watch(ofKey('b'), null),
    ]);
    for (const watch of [one, tenant, other, another]) watch.take();
    await afterPause();
    const { ids, revision } = await store({ a: '2', c: '3' });
    live.changed({ perspective: 'Orders', ids, revision });
    await turns();
    expect(listed).toHaveLength(2);
    expect(calls).toEqual(['readProgress', 'readModels', 'listModels', 'listModels', 'flush']);
    expect(one.take()).toMatchObject({ kind: 'changes', upserts: [{ key: 'a', body: '2' }] });
    expect(tenant.take()).toMatchObject({ kind: 'changes', keys: ['a', 'c'] });
    expect([other.take(), another.take()]).toEqual([null, null]);
  });

  it('is sent together with others that happen within 20 ms', async () => {
    const watch = await live.watch(all, null);
    const told = countTold(watch);
    [calls, listed] = [[], []];
    for (const body of ['1', '2', '3']) {
      live.changed(await store({ a: body }));
      await turns();
    }
    await vi.advanceTimersByTimeAsync(pauseMs - 1);
    expect([calls, told.times]).toEqual([[], 0]);
    await vi.advanceTimersByTimeAsync(1);
    await turns();
    expect([listed.length, told.times]).toEqual([1, 1]);
    await afterPause();
    await afterPause();
    expect(told.times).toBe(1);
  });

  it('is not looked for without one', async () => {
    await live.watch(all, null);
    await turns();
    [calls, listed] = [[], []];
    for (let times = 0; times < 5; times++) {
      await vi.advanceTimersByTimeAsync(pauseMs);
      await turns();
    }
    expect(calls).toEqual([]);
  });

  it('of unknown models may concern every query, also together with a change of known ones', async () => {
    const watches = await Promise.all([live.watch(ofKey('a'), null), live.watch(ofTenant('other'), null)]);
    await afterPause();
    live.changed({ perspective: 'Orders', ids: null, revision: null });
    live.changed({ perspective: 'Orders', ids: ['x'], revision: 1 });
    await turns();
    expect(calls).toEqual(['readProgress', 'listModels', 'listModels']);
    expect(watches.map((watch) => watch.take()?.keys)).toEqual([[], []]);
  });

  it('of unknown models is read after the pause', async () => {
    const watch = await live.watch(ofKey('a'), null);
    watch.take();
    await store({ a: '1' });
    live.changed({ perspective: 'Orders', ids: null, revision: null });
    await vi.advanceTimersByTimeAsync(pauseMs);
    await turns();
    expect(watch.take()).toMatchObject({ kind: 'changes', keys: ['a'] });
  });

  it('is no step if the models have the same content', async () => {
    await store({ a: '1' });
    const watch = await live.watch(all, null);
    const told = countTold(watch);
    await afterPause();
    live.changed(await store({ a: '1' }));
    await turns();
    expect([calls, told.times]).toEqual([['readProgress', 'readModels', 'listModels'], 0]);
  });

  it('is sent once the database cannot lose it', async () => {
    const watch = await live.watch(all, null);
    const told = countTold(watch);
    await afterPause();
    let flushed = (): void => {};
    before = (call) => (call === 'flush' ? new Promise<void>((resolve) => (flushed = resolve)) : undefined);
    live.changed(await store({ a: '1' }));
    await turns();
    expect([calls.at(-1), told.times]).toEqual(['flush', 0]);
    flushed();
    await turns();
    expect(told.times).toBe(1);
  });

  it('is ignored while there are no clients', async () => {
    live.changed({ perspective: 'Orders', ids: ['a'], revision: 1 });
    live.changed({ perspective: 'Orders', ids: null, revision: null });
    await turns();
    expect(calls).toEqual([]);
  });

  it('that removes a model after the progress was read has its own place', async () => {
    await store({ a: '1', b: '2' });
    const watch = await live.watch(all, null);
    const { place } = watch.take()!;
    await afterPause();
    const progress: Progress = await models.readProgress('Orders');
    let removal: Promise<unknown> | undefined;
    before = (call) => (call === 'listModels' ? (removal ??= store({ b: null })) : undefined);
    live.changed({ perspective: 'Orders', ids: null, revision: progress.revision });
    await turns();
    expect(calls).toEqual(['readProgress', 'listModels', 'readProgress', 'listModels', 'flush']);
    const step = watch.take()!;
    expect(step).toMatchObject({ kind: 'changes', from: place, removed: ['b'] });
    expect(step.place).not.toBe(place);
  });
});
