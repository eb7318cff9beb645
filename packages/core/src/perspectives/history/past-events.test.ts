import { beforeEach, describe, expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import {
  around,
  EventLog,
  InMemoryStorage,
  ModelSources,
  type ModelSnapshot,
  type PendingRecord,
  type PerspectiveStorage,
  type SourceKey,
  type SourcePage,
  type StoredEvent,
} from '../../storage/index.js';
import { ModelEvents } from '../apply/model-events.js';
import type { Perspective } from '../perspective.js';
import { commitChanges, indexedModel } from '../testing/trial-commits.js';
import { appendEvents, pendingEvent } from '../testing/trial-events.js';
import { Noted, trialMessages } from '../testing/trial-messages.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { mostPastEvents, PastEvents, type EventsOfModel } from './past-events.js';

const ofStream: Perspective<object, Noted> = { apply: (model) => model ?? {} };
const ofKey: Perspective<object, Noted> = { ...ofStream, keyOf: ({ key }) => key };
const streamId = newId();

let storage: InMemoryStorage;
let log: EventLog;

beforeEach(() => {
  storage = new InMemoryStorage();
  log = new EventLog(storage, trialMessages);
});

/** Appends events to the stream, and returns their ids. */
function append(count = 1, fields: Partial<PendingRecord> = {}): Uuid[] {
  const events = Array.from({ length: count }, () => pendingEvent({ streamId, ...fields }));
  appendEvents(storage, events);
  return events.map(({ id }) => id);
}

interface Stored {
  readonly sources?: ModelSources;
  readonly snapshot?: Uuid;
  readonly hasModel?: boolean;
}

/** Stores what the perspective has processed for the model with an id. */
async function store(id: string, { sources, snapshot, hasModel = true }: Stored): Promise<void> {
  await commitChanges(storage.perspectives, 'Notes', {
    to: 0,
    models: hasModel ? [indexedModel(id, { key: 'of it', version: 9 })] : [],
    sources: sources?.all() ?? [],
    snapshots: snapshot === undefined ? [] : [snapshotAt(id, snapshot)],
  });
}

const snapshotAt = (id: string, eventId: Uuid): ModelSnapshot => ({ id, eventId, body: '{"at":1}', version: 1 });

/** The sources of events at positions of a stream. */
function sourcesOf(ids: readonly Uuid[], { id = 'k', first = 0, stream = streamId } = {}): ModelSources {
  const sources = new ModelSources();
  for (const [i, eventId] of ids.entries()) sources.addEvent(id, stream, first + i, eventId);
  return sources;
}

/** The events of a model up to an event. */
async function upTo(
  id: string,
  eventId: Uuid,
  { changes = {}, isKnown = false }: { changes?: Partial<PerspectiveStorage>; isKnown?: boolean } = {},
): Promise<EventsOfModel | null> {
  const named = namedPerspective({ perspective: id === streamId ? ofStream : ofKey, events: [Noted] });
  const parts = { log, storage: around<PerspectiveStorage>(storage.perspectives, changes) };
  const past = new PastEvents(named, parts, ModelEvents.ofServing(named, parts));
  const record = (await log.findRecord(eventId))!;
  const known: StoredEvent | null = isKnown ? log.toEvent(record) : null;
  return await past.upTo(id, record, eventId, known);
}

const idsIn = (found: EventsOfModel | null): Uuid[] | null => found?.events.map(({ envelope }) => envelope.id) ?? null;

describe('the events of the model of a stream', () => {
  it('are those of the stream up to an event, also if it is of another type', async () => {
    const [first, second] = append(2) as [Uuid, Uuid];
    const [other] = append(1, { type: 'test.Other' }) as [Uuid];
    append(1);
    append(1, { streamId: newId() });
    expect(await upTo(streamId, second)).toMatchObject({ snapshot: null });
    expect(idsIn(await upTo(streamId, first))).toEqual([first]);
    expect(idsIn(await upTo(streamId, second))).toEqual([first, second]);
    expect(idsIn(await upTo(streamId, other))).toEqual([first, second]);
  });

  it('are at most 2,000', async () => {
    const ids = append(mostPastEvents + 1);
    expect(idsIn(await upTo(streamId, ids[mostPastEvents - 1]!))).toEqual(ids.slice(0, -1));
    expect(await upTo(streamId, ids[mostPastEvents]!)).toBeNull();
  });

  it('follow the newest snapshot before the event if there are more', async () => {
    const ids = append(mostPastEvents + 2);
    await store(streamId, { snapshot: ids[0]! });
    const found = await upTo(streamId, ids[mostPastEvents]!);
    expect(idsIn(found)).toEqual(ids.slice(1, -1));
    expect(found!.snapshot).toEqual({
      ...snapshotAt(streamId, ids[0]!),
      identity: expect.objectContaining({ id: streamId, key: 'of it', owner: '', scope: null }) as object,
    });
    // One too many after the snapshot.
    expect(await upTo(streamId, ids[mostPastEvents + 1]!)).toBeNull();
    await store(streamId, { snapshot: ids[mostPastEvents + 1]! });
    expect(await upTo(streamId, ids[mostPastEvents + 1]!)).toBeNull();
    await store(streamId, { snapshot: ids[mostPastEvents]! });
    expect(idsIn(await upTo(streamId, ids[mostPastEvents + 1]!))).toEqual(ids.slice(-1));
  });

  it('are unknown if there are more, and there is a snapshot but no model', async () => {
    const ids = append(mostPastEvents + 1);
    await store(streamId, { snapshot: ids[0]!, hasModel: false });
    expect(await upTo(streamId, ids[mostPastEvents]!)).toBeNull();
  });
});

describe('the events of a model with a key', () => {
  it('are those of all streams up to an event', async () => {
    const [first] = append(1) as [Uuid];
    const stream = newId();
    const [second] = append(1, { streamId: stream }) as [Uuid];
    const [third] = append(1) as [Uuid];
    await store('k', { sources: sourcesOf([first, third]) });
    await store('k', { sources: sourcesOf([second], { stream }) });
    expect(await upTo('k', third)).toMatchObject({ snapshot: null });
    expect(new Set(idsIn(await upTo('k', third)))).toEqual(new Set([first, second, third]));
    expect(new Set(idsIn(await upTo('k', second)))).toEqual(new Set([first, second]));
    expect(idsIn(await upTo('k', first))).toEqual([first]);
    expect(idsIn(await upTo('other', third))).toEqual([]);
  });

  it('are only those that still belong to it', async () => {
    const ids = [...append(1), ...append(1, { body: '{"key":"other"}' }), ...append(1, { type: 'test.Other' })];
    await store('k', { sources: sourcesOf(ids) });
    expect(idsIn(await upTo('k', ids[2]!))).toEqual(ids.slice(0, 1));
  });

  it('include the event at the place, although the perspective has not processed it yet', async () => {
    const [first, second] = append(2) as [Uuid, Uuid];
    await store('k', { sources: sourcesOf([first]) });
    expect(idsIn(await upTo('k', second))).toEqual([first]);
    expect(idsIn(await upTo('k', second, { isKnown: true }))).toEqual([second, first]);
    await store('k', { sources: sourcesOf([first, second]) });
    expect(idsIn(await upTo('k', second, { isKnown: true }))).toEqual([second, first]);
  });

  it('are found in every page of sources, and read in the order of their positions', async () => {
    const ids = append(70);
    const sources = sourcesOf(ids).all().toReversed();
    const asked: (SourceKey | null)[] = [];
    const readSources: PerspectiveStorage['readSources'] = (_tables, _id, _after, next): Promise<SourcePage> => {
      const [source] = sources.slice(asked.push(next) - 1);
      return Promise.resolve({ sources: [source!], next: asked.length < sources.length ? source! : null });
    };
    expect(idsIn(await upTo('k', ids[69]!, { changes: { readSources } }))).toEqual(ids);
    expect(asked).toEqual([null, sources[0], sources[1]]);
  });

  it('are at most 2,000', async () => {
    const ids = append(mostPastEvents + 1);
    await store('k', { sources: sourcesOf(ids.slice(0, -1)) });
    expect(idsIn(await upTo('k', ids[mostPastEvents]!))).toEqual(ids.slice(0, -1));
    await store('k', { sources: sourcesOf(ids) });
    expect(await upTo('k', ids[mostPastEvents]!)).toBeNull();
  });

  it('follow the newest snapshot before the event if there are more', async () => {
    const ids = append(mostPastEvents + 1);
    await store('k', { sources: sourcesOf(ids), snapshot: ids[40]! });
    const found = await upTo('k', ids[mostPastEvents]!);
    expect(idsIn(found)).toEqual(ids.slice(41));
    expect(found!.snapshot).toMatchObject({ ...snapshotAt('k', ids[40]!), identity: { id: 'k', key: 'of it' } });
    expect(idsIn(await upTo('k', ids[50]!))).toEqual(ids.slice(41, 51));
    // The snapshot is of a later event.
    expect(await upTo('k', ids[40]!)).toBeNull();
  });

  it('are unknown if there are too many after the snapshot as well', async () => {
    const ids = append(mostPastEvents + 40);
    await store('k', { sources: sourcesOf(ids), snapshot: ids[0]! });
    expect(await upTo('k', ids.at(-1)!)).toBeNull();
  });
});
