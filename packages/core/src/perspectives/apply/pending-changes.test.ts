import { describe, expect, it, vi } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { originKey, wrap } from '../../messages/index.js';
import { InMemoryPerspectives, retainedSnapshots, type StoredEvent } from '../../storage/index.js';
import type { NamedPerspective, Perspective } from '../perspective.js';
import { commitChanges, indexedModel } from '../testing/trial-commits.js';
import { idOf } from '../testing/trial-events.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { CarefulStretch } from './careful-stretch.js';
import { scannedPositions } from './has-source.js';
import { HeldModel } from './held-model.js';
import { LoadedModels } from './loaded-models.js';
import { ModelCache } from './model-cache.js';
import { pageUpTo } from './page-part.js';
import { eventsPerSnapshot, PendingChanges } from './pending-changes.js';

const stream = idOf(0xabc);

const counting: Perspective<{ count: number }> = { apply: (model) => ({ count: (model?.count ?? 0) + 1 }) };
const keyed: Perspective<{ count: number }> = { ...counting, keyOf: (event) => (event as { key?: string }).key ?? 'k' };
const namedOf = (perspective: Perspective<{ count: number }> = counting): NamedPerspective =>
  namedPerspective({ name: 'p', perspective });

/** `number`: its id and its place in the log. */
function happened(
  number: number,
  fields: { stream?: Uuid; position?: number; isReceived?: boolean; key?: string } = {},
) {
  const { stream: streamId = stream, position = number, isReceived = false, key } = fields;
  const metadata = isReceived ? { [originKey]: null } : {};
  const envelope = { ...wrap('t', key === undefined ? {} : { key }), id: idOf(number), metadata };
  return { streamId, position, sequence: number, envelope } satisfies StoredEvent;
}

const modelOf = (id: string, named = namedOf()): HeldModel => HeldModel.begun(named, id, happened(0));

/** A model whose stored body has so many characters. */
function sized(id: string, characters: number): HeldModel {
  const body = JSON.stringify({ text: 'x'.repeat(characters - '{"text":""}'.length) });
  return HeldModel.of(namedOf(), { id, key: id, owner: '', scope: null, body, version: 1, lastEventId: idOf(1) });
}

describe('pending changes', () => {
  it('count the rows of a commit and their characters', () => {
    const changes = new PendingChanges(namedOf(keyed));
    expect([changes.rows, changes.characters]).toEqual([0, 0]);
    const model = modelOf('m', namedOf(keyed));
    changes.apply(happened(1, { position: 0 }), model);
    changes.apply(happened(2, { position: 1 }), model);
    changes.apply(happened(3, { position: 32 }), model);
    // A model, and a source for each block of positions.
    expect(changes.rows).toBe(3);
    expect(changes.characters).toBe(300);
    for (let i = 4; i <= eventsPerSnapshot; i++) changes.apply(happened(i, { position: 33 }), model);
    expect(changes.rows).toBe(4);
    expect(changes.characters).toBe(300 + `{"count":${eventsPerSnapshot}}`.length);
    expect(changes.commit()).toMatchObject({
      sources: [
        { id: 'm', block: 0, events: 0b11 },
        { id: 'm', block: 1, events: 0b11 },
      ],
      snapshots: [{ id: 'm', version: eventsPerSnapshot, eventId: idOf(eventsPerSnapshot) }],
      rewound: [],
      stopped: [],
    });
  });

  it('store the positions of a stream of its own only after its start', () => {
    const changes = new PendingChanges(namedOf());
    const model = modelOf('m');
    changes.apply(happened(1, { position: scannedPositions - 1 }), model);
    expect(changes.commit().sources).toEqual([]);
    changes.apply(happened(2, { position: scannedPositions }), model);
    expect(changes.commit().sources).toHaveLength(1);
  });

  it('store no position of the event whose id is the key of its model', () => {
    const named = namedOf({ ...counting, keyOf: (_, { id }) => (id === idOf(3) ? idOf(1) : id) });
    const changes = new PendingChanges(named);
    const model = HeldModel.begun(named, idOf(1), happened(1));
    changes.apply(happened(1), model);
    expect(changes.commit().sources).toEqual([]);
    changes.apply(happened(3), model);
    expect(changes.commit().sources).toMatchObject([{ id: idOf(1), events: 0b1000, lastEventId: idOf(3) }]);
  });

  it('retain the newest snapshots of a model', () => {
    const changes = new PendingChanges(namedOf());
    const model = modelOf('m');
    const count = (retainedSnapshots + 2) * eventsPerSnapshot;
    for (let i = 1; i <= count; i++) changes.apply(happened(i, { position: 0 }), model);
    const { snapshots } = changes.commit();
    expect(snapshots.map(({ version }) => version)).toEqual([300, 400, 500, 600, 700]);
    expect(changes.rows).toBe(1 + retainedSnapshots);
    expect(changes.characters).toBe(retainedSnapshots * '{"count":300}'.length);
  });

  it('outdate the snapshots after an event whose id is below that of an earlier one', () => {
    const changes = new PendingChanges(namedOf());
    const model = modelOf('m');
    for (let i = 1; i <= 200; i++) changes.apply(happened(i * 10, { position: 0 }), model);
    expect(changes.commit()).toMatchObject({ rewound: [], snapshots: [{ version: 100 }, { version: 200 }] });
    changes.apply(happened(1_000, { position: 0 }), model);
    expect(changes.commit()).toMatchObject({
      rewound: [{ id: 'm', afterEventId: idOf(1_000) }],
      snapshots: [{ version: 100 }],
    });
    expect(changes.rows).toBe(2);
    expect(changes.characters).toBe('{"count":100}'.length);
    // The earliest of them decides.
    changes.apply(happened(1_500, { position: 0 }), model);
    expect(changes.commit().rewound).toEqual([{ id: 'm', afterEventId: idOf(1_000) }]);
    changes.apply(happened(999, { position: 0 }), model);
    expect(changes.commit()).toMatchObject({ rewound: [{ id: 'm', afterEventId: idOf(999) }], snapshots: [] });
    expect([changes.rows, changes.characters]).toEqual([1, 0]);
  });

  it('replace a snapshot at the same event', () => {
    const changes = new PendingChanges(namedOf());
    const model = modelOf('m');
    const last = happened(500, { position: 0 });
    for (let i = 1; i < 100; i++) changes.apply(happened(i, { position: 0 }), model);
    changes.apply(last, model);
    for (let i = 1; i < 100; i++) changes.apply(happened(500 + i, { position: 0 }), model);
    model.lastEventId = idOf(499);
    changes.apply(last, model);
    expect(changes.commit().snapshots.map(({ version }) => version)).toEqual([200]);
    expect(changes.rows).toBe(2);
    expect(changes.characters).toBe('{"count":200}'.length);
  });

  it('outdate all snapshots of a model that is replayed from its first event', () => {
    const changes = new PendingChanges(namedOf());
    const model = modelOf('m');
    for (let i = 1; i <= 100; i++) changes.apply(happened(i, { position: 0 }), model);
    changes.rewind(model, { id: 'm', eventId: idOf(100), body: null, version: 100 });
    expect(changes.commit()).toMatchObject({
      rewound: [{ id: 'm', afterEventId: idOf(100) }],
      snapshots: [{ version: 100 }],
    });
    changes.rewind(model, null);
    expect(changes.commit()).toMatchObject({ rewound: [{ id: 'm', afterEventId: null }], snapshots: [] });
    changes.apply(happened(50, { position: 0 }), model);
    expect(changes.commit().rewound).toEqual([{ id: 'm', afterEventId: null }]);
    const other = new PendingChanges(namedOf());
    other.rewind(modelOf('n'), null);
    expect([...other.models.keys()]).toEqual(['n']);
  });

  it('write each changed model once, and again after its next change', () => {
    const changes = new PendingChanges(namedOf());
    const model = modelOf('m');
    changes.apply(happened(1), model);
    changes.apply(happened(2), model);
    expect(model.isChanged).toBe(true);
    expect([...changes.writeModels()]).toMatchObject([{ id: 'm', body: '{"count":2}' }]);
    expect(model.isChanged).toBe(false);
    const next = new PendingChanges(namedOf());
    next.apply(happened(3), model);
    expect([...next.models.keys()]).toEqual(['m']);
  });

  it('contain one stop for each stream', () => {
    const changes = new PendingChanges(namedOf());
    const stop = { streamId: stream, eventId: idOf(1), position: 0, errorName: '', errorMessage: '', attempts: 1 };
    changes.stop(stop);
    changes.stop({ ...stop, attempts: 2 });
    expect(changes.commit().stopped).toEqual([{ ...stop, attempts: 2 }]);
  });
});

describe('models in memory', () => {
  it('are found until they are deleted or all are dropped', () => {
    const cache = new ModelCache(1_000_000);
    const [a, b] = [modelOf('a'), modelOf('b')];
    cache.set(a);
    cache.set(b);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([a, b, undefined]);
    cache.delete('a');
    expect(cache.get('a')).toBeUndefined();
    cache.clear();
    expect(cache.get('b')).toBeUndefined();
  });

  it('count as the average of those whose size is known, and what each needs in addition', () => {
    const cache = new ModelCache(1_000_000);
    expect(cache.averageCharacters).toBe(400);
    cache.set(modelOf('unknown'));
    expect(cache.averageCharacters).toBe(400);
    cache.set(sized('a', 100));
    cache.set(sized('b', 300));
    expect(cache.averageCharacters).toBe(600);
    cache.clear();
    expect(cache.averageCharacters).toBe(400);
  });

  it('are dropped unless they were used while half of the limit was filled again', () => {
    const cache = new ModelCache(4_000);
    const [a, b, c] = ['a', 'b', 'c'].map((id) => sized(id, 600));
    cache.set(a!);
    cache.set(b!);
    expect(cache.limit()).toBe(false);
    cache.set(c!);
    // The first generation replaces none.
    expect(cache.limit()).toBe(false);
    expect(cache.averageCharacters).toBe(1_000);
    expect(cache.limit()).toBe(false);
    expect(cache.get('a')).toBe(a);
    cache.set(sized('d', 600));
    expect(cache.limit()).toBe(false);
    cache.set(sized('e', 600));
    expect(cache.limit()).toBe(true);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([a, undefined, undefined]);
    expect(cache.get('d')?.id).toBe('d');
    cache.set(sized('f', 600));
    cache.delete('e');
    expect(cache.get('e')).toBeUndefined();
    cache.clear();
    expect(['a', 'd', 'f'].map((id) => cache.get(id))).toEqual([undefined, undefined, undefined]);
  });
});

describe('loaded models', () => {
  async function stored(ids: readonly string[]): Promise<InMemoryPerspectives> {
    const storage = new InMemoryPerspectives();
    const lastEventId = idOf(50);
    const fields = { body: '{"count":5}', version: 5, lastEventId };
    await commitChanges(storage, 'p', { to: 50, models: ids.map((id) => indexedModel(id, fields)) });
    return storage;
  }
  const none = (): undefined => undefined;
  const countOf = (model: HeldModel | null): number => (model?.model as { count: number } | null)?.count ?? 0;

  it('are read once, and only those that events need', async () => {
    const storage = await stored(['k', 'l', 'unused']);
    const read = vi.spyOn(storage, 'readModels');
    const models = new LoadedModels(namedOf(keyed), storage, 1_000_000);
    models.start('p', false);
    const events = [happened(61), happened(62, { key: 'l' }), happened(63), happened(64, { key: 'new', position: 0 })];
    const loaded = await models.load(events, none);
    expect(loaded!.events).toBe(events);
    expect(loaded!.models.map(countOf)).toEqual([5, 5, 5, 0]);
    expect(loaded!.models[2]).toBe(loaded!.models[0]);
    expect(read.mock.calls).toEqual([['p', ['k', 'l', 'new']]]);
    const again = await models.load([happened(65), happened(66, { key: 'new' })], none);
    expect(again!.models).toEqual([loaded!.models[0], loaded!.models[3]]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('are those of other tables after a start, and none are read from empty ones', async () => {
    const storage = await stored(['k']);
    const read = vi.spyOn(storage, 'readModels');
    const models = new LoadedModels(namedOf(keyed), storage, 1_000_000);
    models.start('p', false);
    await models.load([happened(61)], none);
    models.start({ perspective: 'p', role: 'rebuilding', name: 'other' }, true);
    const loaded = await models.load([happened(61)], none);
    expect(loaded!.models.map(countOf)).toEqual([0]);
    expect(read).toHaveBeenCalledTimes(1);
    // After it has dropped models, it cannot know which ones exist.
    expect(await models.readStored(['k'])).toEqual([]);
    await models.load([happened(62)], none);
    expect(read).toHaveBeenCalledTimes(3);
    expect(await models.readStored([])).toEqual([]);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('of empty tables are read again after some were dropped', async () => {
    const storage = await stored([]);
    const read = vi.spyOn(storage, 'readModels');
    const models = new LoadedModels(namedOf(), storage, 1_000);
    models.start('p', true);
    const load = async (number: number): Promise<void> => {
      await models.load([happened(number, { stream: idOf(number), position: 1 })], none);
      models.limit();
    };
    for (let number = 1; number <= 4; number++) await load(number);
    expect(read).not.toHaveBeenCalled();
    await load(5);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('include one that left the memory before its changes were committed', async () => {
    const models = new LoadedModels(namedOf(), await stored([]), 1_000);
    models.start('p', false);
    const changed = modelOf(stream);
    const loaded = await models.load([happened(61)], (id) => (id === stream ? changed : undefined));
    expect(loaded!.models).toEqual([changed]);
    const added = modelOf('other');
    models.add(added);
    models.measure(sized('x', 600));
    expect(models.averageCharacters).toBe(1_000);
  });

  it('are not read for the first event of a stream of their own', async () => {
    const storage = await stored([stream]);
    const read = vi.spyOn(storage, 'readModels');
    const plain = new LoadedModels(namedOf(), storage, 1_000);
    plain.start('p', false);
    await plain.load([happened(61, { position: 0 })], none);
    expect(read).not.toHaveBeenCalled();
    const ofKeys = new LoadedModels(namedOf(keyed), storage, 1_000);
    ofKeys.start('p', false);
    await ofKeys.load([happened(61, { position: 0 })], none);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('are not returned if an event of another database belongs before an earlier one', async () => {
    const storage = await stored(['k']);
    const load = async (...events: StoredEvent[]) => {
      const models = new LoadedModels(namedOf(keyed), storage, 1_000_000);
      models.start('p', false);
      return await models.load(events, none);
    };
    const late = (number: number, key = 'k') => happened(number, { key, isReceived: true });
    expect(await load(late(49))).toBeNull();
    expect(await load(late(50))).not.toBeNull();
    expect(await load(late(51))).not.toBeNull();
    expect(await load(happened(70), late(60))).toBeNull();
    expect(await load(happened(70), late(60, 'l'), late(71))).not.toBeNull();
    expect(await load(late(80, 'l'), late(70, 'l'))).toBeNull();
    // An event of this database is never late, and does not lower the greatest id.
    expect(await load(late(80, 'l'), happened(70, { key: 'l' }), late(75, 'l'))).toBeNull();
    expect(await load(late(80, 'l'), happened(70, { key: 'l' }), late(85, 'l'))).not.toBeNull();
    const skipping = new LoadedModels(namedOf({ ...counting, keyOf: () => null }), storage, 1_000);
    expect((await skipping.load([late(1), late(0)], none))!.models).toEqual([null, null]);
  });

  it('are not returned if one of them cannot be read or determined', async () => {
    const storage = await stored(['k']);
    const readModel = (): never => {
      throw new Error('It does not match its type.');
    };
    const unreadable = { ...namedOf(keyed), readModel };
    const models = new LoadedModels(unreadable, storage, 1_000);
    models.start('p', false);
    expect(await models.load([happened(61)], none)).toBeNull();
    expect(await models.load([happened(61, { key: '\0' })], none)).toBeNull();
    expect(await models.load([happened(61, { key: 'new' })], none)).not.toBeNull();
  });
});

describe('a part of the log that is applied carefully', () => {
  it('lasts until everything up to the furthest place is committed', () => {
    const careful = new CarefulStretch();
    careful.passed({ sequence: 100 });
    expect(careful.isActive).toBe(false);
    careful.begin({ sequence: 5 });
    careful.begin({ sequence: 9 });
    careful.begin({ sequence: 7 });
    expect(careful.isActive).toBe(true);
    careful.passed({ sequence: 8 });
    expect(careful.isActive).toBe(true);
    careful.passed({ sequence: 9 });
    expect(careful.isActive).toBe(false);
  });

  it('can end within a page', () => {
    const records = [1, 2, 3].map((sequence) => ({ sequence })) as unknown as Parameters<typeof pageUpTo>[0]['records'];
    expect(pageUpTo({ records, upTo: { sequence: 3 } }, { sequence: 2 })).toEqual({
      records: [{ sequence: 1 }, { sequence: 2 }],
      upTo: { sequence: 2 },
    });
  });
});
