import { describe, expect, it, vi } from 'vitest';
import { newId } from '../../messages/index.js';
import { ScopeFilters } from '../../security/index.js';
import { sortedByKey, type IndexedType, type Progress, type StoredModel } from '../../storage/index.js';
import { ModelOwners } from '../model-owner.js';
import { LiveGroup, LiveWatch } from './live-group.js';
import { hasUnchanged, longestPlace, placeOfModels, readPlace, writePlace, type PlacedList } from './live-place.js';
import type { LiveQuery } from './live-query.js';
import { LiveWindow } from './live-window.js';

const generation = 'abc-1';
const types = new Map<string, IndexedType>([
  ['key', 'text'],
  ['count', 'integer'],
]);
const query: LiveQuery = { owner: null, principals: null, where: [], sort: sortedByKey, limit: 3 };
const list: PlacedList = { name: 'Orders', types, query };
const byCount = (descending: boolean): PlacedList => ({
  ...list,
  query: { ...query, sort: { column: 'count', descending } },
});

const model = (key: string, revision = 1, count = 0, owner = ''): StoredModel => ({
  id: `${owner}/${key}`,
  key,
  owner,
  scope: owner === '' ? null : { tenantId: owner },
  body: JSON.stringify({ count }),
  version: 1,
  lastEventId: newId(),
  revision,
});
const progress = (revision: number): Progress => ({ sequence: 0, revision, generation });
const windowOf = (models: readonly StoredModel[], revision = 5): LiveWindow =>
  new LiveWindow(models, placeOfModels(progress(revision), models, list), list);

describe('the place of a client', () => {
  it('is the revision of the newest model, and the end of a full page', () => {
    const models = [model('a', 3), model('b', 7), model('c', 4)];
    expect(placeOfModels(progress(5), models.slice(0, 2), list)).toEqual({ generation, revision: 7, end: null });
    const end = { key: 'c', value: 'c', owner: '' };
    expect(placeOfModels(progress(9), models, list)).toEqual({ generation, revision: 9, end });
    const owned = { ...list, query: { ...query, owner: { owner: 'o', values: {} } } };
    expect(placeOfModels(progress(9), models, owned)!.end).toEqual({ key: 'c', value: 'c' });
    expect(placeOfModels({ sequence: 0, revision: 1 }, models, list)).toBeNull();
    expect(placeOfModels({ ...progress(1), segments: [progress(1)] }, models, list)).toBeNull();
  });

  it('is read as it was written, and only for the same list', () => {
    const end = { key: 'c', value: 'c', owner: '' };
    for (const place of [
      { generation, revision: 7, end: null },
      { generation, revision: 7, end },
    ]) {
      expect(readPlace(writePlace(place, list)!, list)).toEqual(place);
    }
    expect(readPlace(writePlace({ generation, revision: 7, end }, list)!, byCount(false))).toBeNull();
    for (const text of ['', 'x.1', 'abc', 'abc.x', 'abc.1.!', 'abc.1.x']) expect(readPlace(text, list)).toBeNull();
  });

  it('is not given to a client if it does not fit into a header', () => {
    const endOf = (length: number) => ({ generation, revision: 7, end: { key: 'k', value: 'x'.repeat(length) } });
    const lengths = Array.from({ length: 1_000 }, (_, i) => writePlace(endOf(i), list)?.length ?? null);
    const longest = lengths.indexOf(null);
    expect(longest).toBeGreaterThan(0);
    expect(lengths[longest - 1]).toBeLessThanOrEqual(longestPlace);
    expect(lengths.slice(longest).every((length) => length === null)).toBe(true);
  });

  it('says which models a client has that have not changed', () => {
    const at = (key: string, count: number) => ({ generation, revision: 1, end: { key, value: count, owner: 'm' } });
    const has = (one: StoredModel, descending = false): boolean => hasUnchanged(at('m', 5), one, byCount(descending));
    expect([has(model('z', 1, 4)), has(model('a', 1, 6))]).toEqual([true, false]);
    expect([has(model('z', 1, 4), true), has(model('a', 1, 6), true)]).toEqual([false, true]);
    expect([has(model('l', 1, 5)), has(model('n', 1, 5))]).toEqual([true, false]);
    expect(['l', 'm', 'n'].map((owner) => has(model('m', 1, 5, owner)))).toEqual([true, true, false]);
    expect(hasUnchanged({ generation, revision: 1, end: null }, model('z', 1, 99), byCount(false))).toBe(true);
  });

  it('orders keys and owners by code point, like databases', () => {
    const [before, after] = ['\uff21', '\u{1f600}'];
    const end = { generation, revision: 1, end: { key: before, value: 5, owner: before } };
    expect(hasUnchanged(end, model(after, 1, 5), byCount(false))).toBe(false);
    expect(hasUnchanged(end, model(before, 1, 5, after), byCount(false))).toBe(false);
    expect(hasUnchanged(end, model(before, 1, 5, before), byCount(false))).toBe(true);
  });

  it('without an owner is before every owner in a list of all owners', () => {
    const end = { generation, revision: 1, end: { key: 'm', value: 5 } };
    const has = (owner: string): boolean => hasUnchanged(end, model('m', 1, 5, owner), byCount(false));
    expect([has(''), has('o')]).toEqual([true, false]);
  });
});

describe('the models of a live query', () => {
  it('are a page for a new client, once for all clients', () => {
    const window = windowOf([model('a'), model('b')]);
    expect(window.page(false)).toEqual({
      kind: 'page',
      place: 'abc-1.5',
      isReset: false,
      models: [
        { key: 'a', body: '{"count":0}' },
        { key: 'b', body: '{"count":0}' },
      ],
      keys: ['a', 'b'],
    });
    expect(window.page(false)).toBe(window.page(false));
    expect(window.page(true)).toMatchObject({ isReset: true, keys: ['a', 'b'] });
    expect(window.page(true)).toBe(window.page(true));
    expect([window.isEmpty, windowOf([]).isEmpty, window.has('/a'), window.has('/x')]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('are the differences for a client with an earlier state', () => {
    const earlier = windowOf([model('a'), model('b'), model('c')], 5);
    const later = windowOf([model('b'), model('bb', 6), model('c', 6, 1)], 6);
    expect(later.since(earlier)).toMatchObject({
      kind: 'changes',
      removed: ['a'],
      upserts: [
        { key: 'bb', after: 'b', body: '{"count":0}' },
        { key: 'c', after: 'bb', body: '{"count":1}' },
      ],
      keys: ['b', 'bb', 'c'],
    });
    expect(windowOf([model('a')], 6).since(windowOf([model('a')], 5))).toBeNull();
    expect(windowOf([model('a')]).since(windowOf([]))).toMatchObject({ from: 'abc-1.5', upserts: [{ after: null }] });
    expect(windowOf([]).since(windowOf([model('a')]))).toMatchObject({ removed: ['a'], upserts: [] });
  });

  it('are those since its place for a client that comes back', () => {
    const window = windowOf([model('a', 4), model('b', 6), model('c', 5)], 7);
    const from = { generation, revision: 5, end: null };
    expect(window.resume(from)).toMatchObject({
      kind: 'resumed',
      from: 'abc-1.5',
      upserts: [{ key: 'b', after: 'a' }],
    });
    // One that has moved onto the page because others have left it.
    const page = { ...from, end: { key: 'b', value: 'b', owner: '' } };
    expect(window.resume(page)).toMatchObject({ upserts: [{ key: 'b' }, { key: 'c' }], keys: ['a', 'b', 'c'] });
    expect(window.resume({ ...from, revision: 7 })).toMatchObject({ upserts: [] });
    expect(window.resume({ ...from, revision: 8 })).toBeNull();
    expect(window.resume({ ...from, generation: 'other' })).toBeNull();
    expect(new LiveWindow([], null, list).resume(from)).toBeNull();
  });
});

describe('a client', () => {
  const joined = (place: ConstructorParameters<typeof LiveWatch>[1]) => {
    const group = new LiveGroup(query);
    const leave = vi.fn<() => void>();
    const watch = new LiveWatch(group, place, leave);
    group.watches.add(watch);
    return { group, watch, leave };
  };

  it('takes a page first, then each step once, and skips states that it was too slow for', () => {
    const { group, watch } = joined(null);
    expect([watch.take(), watch.isEmpty]).toEqual([null, true]);
    let told = 0;
    const changed = (): void => void told++;
    watch.listen(changed, () => {});
    group.show(windowOf([model('a')], 5));
    expect([told, watch.isEmpty]).toEqual([1, false]);
    expect(watch.take()).toMatchObject({ kind: 'page', isReset: false });
    expect(watch.take()).toBeNull();
    group.show(windowOf([model('b', 6)], 6));
    group.show(windowOf([model('c', 7)], 7));
    expect(watch.take()).toMatchObject({ kind: 'changes', removed: ['a'], keys: ['c'] });
    expect(watch.take()).toBeNull();
  });

  it('gets the same step as the others that have the same models', () => {
    const { group, watch } = joined(null);
    const other = new LiveWatch(group, null, () => {});
    const [first, second, third] = [windowOf([model('a')]), windowOf([model('b', 6)], 6), windowOf([model('c', 7)], 7)];
    group.show(first);
    for (const one of [watch, other]) one.take();
    group.show(second);
    const step = watch.take();
    expect(step).toMatchObject({ kind: 'changes', keys: ['b'] });
    expect(watch.take()).toBeNull();
    expect(other.take()).toBe(step);
    group.show(third);
    expect(group.stepSince(second)).toMatchObject({ removed: ['b'], keys: ['c'] });
  });

  it('gets the step from the models that it has to the newest ones', () => {
    const { group, watch } = joined(null);
    const slow = new LiveWatch(group, null, () => {});
    group.show(windowOf([model('a')]));
    for (const one of [watch, slow]) one.take();
    group.show(windowOf([model('b', 6)], 6));
    watch.take();
    group.show(windowOf([model('c', 7)], 7));
    expect(slow.take()).toMatchObject({ removed: ['a'], keys: ['c'] });
    expect(watch.take()).toMatchObject({ removed: ['b'], keys: ['c'] });
  });

  it('that comes back resumes at its place, or is reset if the place is unknown', () => {
    const resumed = joined({ generation, revision: 5, end: null });
    resumed.group.show(windowOf([model('a', 6)], 6));
    expect(resumed.watch.take()).toMatchObject({ kind: 'resumed' });
    for (const place of ['unknown', { generation: 'other', revision: 1, end: null }] as const) {
      const reset = joined(place);
      reset.group.show(windowOf([model('a')]));
      expect(reset.watch.take()).toMatchObject({ kind: 'page', isReset: true });
    }
  });

  it('leaves once, and is told when the service ends it', () => {
    const { group, watch, leave } = joined(null);
    const ended = vi.fn<() => void>();
    watch.listen(() => {}, ended);
    watch.end();
    watch.end();
    watch.close();
    expect([leave.mock.calls.length, ended.mock.calls.length]).toEqual([1, 1]);
    group.show(windowOf([model('a')]));
    expect(watch.take()).toBeNull();
    const late = vi.fn<() => void>();
    watch.listen(() => {}, late);
    expect(late).toHaveBeenCalledTimes(1);
  });

  it('is concerned by models of its query, and by those it has', () => {
    const owners = new ModelOwners(ScopeFilters.Tenant);
    const group = new LiveGroup({ ...query, key: 'a', owner: { owner: 'o', values: {} } });
    expect(group.concerns(model('a', 1, 0, 'o'), owners)).toBe(true);
    expect(group.concerns(model('b', 1, 0, 'o'), owners)).toBe(false);
    expect(group.concerns(model('a', 1, 0, 'p'), owners)).toBe(false);
    group.show(windowOf([model('b', 1, 0, 'p')]));
    expect(group.concerns(model('b', 1, 0, 'p'), owners)).toBe(true);
    expect(new LiveGroup(query).concerns(model('x', 1, 0, 'p'), owners)).toBe(true);
  });

  it('has other models at the same place only after a removal', () => {
    const group = new LiveGroup(query);
    const window = windowOf([model('a')]);
    expect([group.differsFrom(window), group.repeatsPlace(window)]).toEqual([true, false]);
    group.show(window);
    expect([group.differsFrom(windowOf([model('a')])), group.repeatsPlace(windowOf([model('a')]))]).toEqual([
      false,
      false,
    ]);
    expect([group.differsFrom(windowOf([])), group.repeatsPlace(windowOf([]))]).toEqual([true, true]);
    expect(group.repeatsPlace(windowOf([], 6))).toBe(false);
    const nowhere = new LiveWindow([], null, list);
    expect(nowhere.isAtPlaceOf(new LiveWindow([], null, list))).toBe(false);
  });
});
