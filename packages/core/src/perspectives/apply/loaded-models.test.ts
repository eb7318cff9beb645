import { beforeEach, describe, expect, it, vi } from 'vitest';
import { originKey, wrap } from '../../messages/index.js';
import { InMemoryPerspectives, type StoredEvent } from '../../storage/index.js';
import type { NamedPerspective, Perspective } from '../perspective.js';
import { commitChanges, indexedModel } from '../testing/trial-commits.js';
import { idOf } from '../testing/trial-events.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { HeldModel } from './held-model.js';
import { LoadedModels } from './loaded-models.js';
import { ModelCache } from './model-cache.js';
import { eventsPerSnapshot, PendingChanges } from './pending-changes.js';

interface Count {
  readonly count: number;
}

const keyed: Perspective<Count, { key: string }> = {
  apply: (model) => ({ count: (model?.count ?? 0) + 1 }),
  keyOf: ({ key }) => key,
};
const namedOf = (perspective: Perspective<Count, { key: string }> = keyed): NamedPerspective =>
  namedPerspective({ name: 'p', perspective });

function happened(number: number, key = 'k', isReceived = false): StoredEvent {
  const envelope = { ...wrap('t', { key }), id: idOf(number), metadata: isReceived ? { [originKey]: null } : {} };
  return { streamId: idOf(0xabc), position: number, sequence: number, envelope };
}

const modelOf = (id: string): HeldModel => HeldModel.begun(namedOf(), id, happened(0, id));

/** A model that counts as so many characters in memory. */
function sized(id: string, characters: number): HeldModel {
  const body = JSON.stringify({ text: 'x'.repeat(characters - 400 - '{"text":""}'.length) });
  return HeldModel.of(namedOf(), { id, key: id, owner: '', scope: null, body, version: 1, lastEventId: idOf(1) });
}

describe('models that are loaded', () => {
  let storage: InMemoryPerspectives;

  beforeEach(async () => {
    storage = new InMemoryPerspectives();
    const fields = { body: '{"count":5}', version: 5, lastEventId: idOf(50) };
    await commitChanges(storage, 'p', { to: 50, models: ['k', 'l'].map((id) => indexedModel(id, fields)) });
  });

  const none = (): undefined => undefined;
  const countOf = (model: HeldModel | null): number | undefined => (model?.model as Count | null)?.count;

  it('are those of the serving tables unless others are named', async () => {
    const models = new LoadedModels(namedOf(), storage, 1_000_000);
    const loaded = await models.load([happened(60)], none);
    expect(loaded!.models.map(countOf)).toEqual([5]);
  });

  it('are the ones with uncommitted changes if memory no longer has them', async () => {
    const models = new LoadedModels(namedOf(), storage, 1_000_000);
    const changed = modelOf('k');
    const read = vi.spyOn(storage, 'readModels');
    const uncommitted = (id: string): HeldModel | undefined => (id === 'k' ? changed : undefined);
    const loaded = await models.load([happened(60), happened(61, 'l')], uncommitted);
    expect(loaded!.models[0]).toBe(changed);
    expect(countOf(loaded!.models[1]!)).toBe(5);
    expect(read.mock.calls).toEqual([['p', ['l']]]);
  });

  it('are the ones in memory rather than those that were uncommitted before', async () => {
    const models = new LoadedModels(namedOf(), storage, 1_000_000);
    const [added, uncommitted] = [modelOf('k'), modelOf('k')];
    models.add(added);
    expect((await models.load([happened(60)], () => uncommitted))!.models[0]).toBe(added);
  });

  it('are read again after they were read to be restored', async () => {
    const models = new LoadedModels(namedOf(), storage, 1_000_000);
    models.start('p', true);
    const [begun] = (await models.load([happened(60)], none))!.models;
    expect(countOf(begun!)).toBeUndefined();
    expect((await models.readStored(['k'])).map(({ version }) => version)).toEqual([5]);
    expect((await models.load([happened(61)], none))!.models.map(countOf)).toEqual([5]);
  });

  it('are created by their first event, which is the same one for all events of a batch', async () => {
    const models = new LoadedModels(namedOf(), storage, 1_000_000);
    const events = [happened(60, 'new'), happened(61, 'new')];
    const loaded = await models.load(events, none);
    expect(loaded!.models[0]).toBe(loaded!.models[1]);
    expect(loaded!.models[0]).toMatchObject({ id: 'new', key: 'new', version: 0 });
    const late = [happened(60, 'other'), happened(59, 'other', true)];
    expect(await models.load(late, none)).toBeNull();
  });
});

describe('the memory of models', () => {
  it('drops nothing if all models of the previous generation were used since', () => {
    const cache = new ModelCache(4_000);
    for (const id of ['a', 'b', 'c']) cache.set(sized(id, 1_000));
    expect(cache.limit()).toBe(false);
    for (const id of ['a', 'b', 'c']) expect(cache.get(id)?.id).toBe(id);
    expect(cache.limit()).toBe(false);
    for (const id of ['a', 'b', 'c']) expect(cache.get(id)?.id).toBe(id);
  });

  it('has half of the limit in one generation, and not more', () => {
    const cache = new ModelCache(4_000);
    for (const id of ['a', 'b']) cache.set(sized(id, 1_000));
    cache.limit();
    // With exactly half of the limit, the generation is still the younger one.
    cache.set(sized('c', 1_000));
    cache.limit();
    cache.set(sized('d', 1_000));
    expect(cache.limit()).toBe(false);
    expect(['a', 'b', 'c', 'd'].map((id) => cache.get(id)?.id)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('measures each generation by itself, and assumes the previous average before that', () => {
    const cache = new ModelCache(2_000);
    cache.set(sized('a', 3_000));
    expect(cache.limit()).toBe(false);
    expect(cache.averageCharacters).toBe(3_000);
    cache.set(sized('b', 500));
    expect(cache.averageCharacters).toBe(500);
    cache.clear();
    expect(cache.averageCharacters).toBe(3_000);
    expect(cache.get('a')).toBeUndefined();
  });
});

describe('snapshots of changed models', () => {
  /** A perspective whose model is deleted by each hundredth event. */
  const deleting: Perspective<Count> = {
    apply: (model) => (model?.count === eventsPerSnapshot - 1 ? null : { count: (model?.count ?? 0) + 1 }),
  };

  it('of a deleted model have no characters', () => {
    const named = namedOf(deleting);
    const changes = new PendingChanges(named);
    const model = HeldModel.begun(named, 'm', happened(0));
    for (let i = 1; i <= eventsPerSnapshot; i++) changes.apply({ ...happened(i), position: 0 }, model);
    expect(changes.commit().snapshots).toMatchObject([{ body: null, version: eventsPerSnapshot }]);
    expect(changes.rows).toBe(2);
    expect(changes.characters).toBe(0);
  });

  it('are of every hundredth event, and none in between', () => {
    const named = namedOf({ apply: keyed.apply });
    const changes = new PendingChanges(named);
    const model = HeldModel.begun(named, 'm', happened(0));
    for (let i = 1; i < eventsPerSnapshot; i++) changes.apply({ ...happened(i), position: 0 }, model);
    expect(changes.commit().snapshots).toEqual([]);
    for (let i = eventsPerSnapshot; i < 3 * eventsPerSnapshot; i++) {
      changes.apply({ ...happened(i), position: 0 }, model);
    }
    expect(changes.commit().snapshots.map(({ version, body }) => [version, body])).toEqual([
      [100, '{"count":100}'],
      [200, '{"count":200}'],
    ]);
  });
});
