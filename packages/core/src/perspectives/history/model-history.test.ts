import { beforeEach, describe, expect, it } from 'vitest';
import { personalText } from '../../json/index.js';
import { latestIdKey, newId, originKey } from '../../messages/index.js';
import { ScopeFilters } from '../../security/index.js';
import {
  EventLog,
  InMemoryStorage,
  ModelSources,
  type ModelSnapshot,
  type PendingRecord,
  type StoredRecord,
} from '../../storage/index.js';
import { ModelOwners } from '../model-owner.js';
import type { AppliedEvent, NamedPerspective, Perspective } from '../perspective.js';
import { commitChanges, indexedModel } from '../testing/trial-commits.js';
import { appendEvents, pendingEvent } from '../testing/trial-events.js';
import { Other, registryOf } from '../testing/trial-messages.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { ModelHistory, type PastModel } from './model-history.js';
import { mostPastEvents } from './past-events.js';

class Noted {
  text = '';
  key: string | null = 'k';
}
interface Notes {
  readonly texts: readonly string[];
}

const messages = registryOf(Noted, Other);
/** It collects the texts. A text of its own deletes the model, another one fails. */
const ofStream: Perspective<Notes, Noted> = {
  apply(model, { text }) {
    if (text === 'fail') throw new RangeError('No.');
    return text === 'delete' ? null : { texts: [...(model?.texts ?? []), text] };
  },
};
const ofKey: Perspective<Notes, Noted> = {
  ...ofStream,
  keyOf({ key }) {
    if (key === 'fail') throw new RangeError('No key.');
    return key;
  },
};
const streamId = newId();
const none: PastModel = {
  perspective: 'Notes',
  key: null,
  status: 'none',
  before: null,
  after: null,
  error: null,
  events: 0,
  streams: 0,
  fromSnapshot: false,
};

let storage: InMemoryStorage;
let log: EventLog;

beforeEach(() => {
  storage = new InMemoryStorage();
  log = new EventLog(storage, messages);
});

const historyOf = (
  perspective: Perspective<Notes, Noted> = ofStream,
  fields: Partial<NamedPerspective> = {},
): ModelHistory =>
  new ModelHistory(namedPerspective({ perspective, events: [Noted], ...fields }), {
    log,
    storage: storage.perspectives,
  });

/** Appends an event for each content to the stream, and returns their records. */
async function append(
  contents: readonly (Partial<Noted> | string)[],
  fields: Partial<PendingRecord> = {},
): Promise<StoredRecord[]> {
  const events = contents.map((content) => {
    const body = JSON.stringify(typeof content === 'string' ? { text: content } : content);
    return pendingEvent({ streamId, body, ...fields });
  });
  appendEvents(storage, events);
  return (await Promise.all(events.map(({ id }) => log.findRecord(id)))).map((record) => record!);
}

const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}`);
const notes = (...texts: readonly string[]): string => JSON.stringify({ texts });

/** Stores a model, with the sources and the snapshot that it has. */
async function store(id: string, sources: readonly StoredRecord[] = [], snapshot?: Partial<ModelSnapshot>) {
  const collected = new ModelSources();
  for (const record of sources) collected.addEvent(id, record.streamId, record.position, record.id);
  await commitChanges(storage.perspectives, 'Notes', {
    to: 0,
    models: [indexedModel(id, { key: `key of ${id}`, version: 9 })],
    sources: collected.all(),
    snapshots: snapshot === undefined ? [] : [{ id, eventId: newId(), body: null, version: 1, ...snapshot }],
  });
}

describe('a history of the models of streams', () => {
  it('has the model before and after an event', async () => {
    const [first, second] = await append(['a', 'b', 'c']);
    const history = historyOf();
    expect(history.perspective).toBe('Notes');
    const common = { ...none, key: streamId, status: 'known', streams: 1 };
    expect(await history.atEvent(first!)).toEqual({ ...common, events: 1, before: null, after: notes('a') });
    expect(await history.atEvent(second!)).toEqual({
      ...common,
      events: 2,
      before: notes('a'),
      after: notes('a', 'b'),
    });
  });

  it('has nothing for an event that the perspective does not process, except for its place', async () => {
    const [, second] = await append(['a', 'b']);
    const [other] = await append([''], { type: 'test.Other' });
    const history = historyOf();
    expect(await history.atEvent(other!)).toBeNull();
    const known = { ...none, key: streamId, status: 'known', streams: 1, events: 2 };
    expect(await history.atPlace(other!)).toEqual({
      models: [{ ...known, before: notes('a', 'b'), after: notes('a', 'b') }],
      isComplete: true,
    });
    expect(await history.atPlace(second!)).toMatchObject({ models: [{ before: notes('a'), after: notes('a', 'b') }] });
  });

  it('has no model at a place before its first event', async () => {
    const [other] = await append([''], { type: 'test.Other' });
    await append(['a']);
    expect(await historyOf().atPlace(other!)).toEqual({ models: [{ ...none, status: 'known' }], isComplete: true });
  });

  it('has no model after an event that deletes it', async () => {
    const [, deletion, next] = await append(['a', 'delete', 'b']);
    expect(await historyOf().atEvent(deletion!)).toMatchObject({ status: 'known', before: notes('a'), after: null });
    expect(await historyOf().atEvent(next!)).toMatchObject({ before: null, after: notes('b') });
  });

  it('has an error if an event cannot be applied', async () => {
    const [, failure] = await append(['a', 'fail']);
    const error = 'RangeError: No.';
    expect(await historyOf().atEvent(failure!)).toEqual({ ...none, status: 'failed', error, events: 2, streams: 1 });
  });

  it('has an error if an event cannot be read', async () => {
    const [unreadable] = await append(['a'], { body: '{' });
    const failed = await historyOf().atEvent(unreadable!);
    expect(failed).toEqual({ ...none, status: 'failed', error: expect.stringMatching(/^SyntaxError: ./) as string });
  });

  it('applies an event of another database where the model does', async () => {
    await append(['early']);
    const id = newId();
    const [late] = await append(['late']);
    const metadata = { [originKey]: 'elsewhere', [latestIdKey]: late!.id };
    const [received] = await append(['received'], { id, metadata });
    const [last] = await append(['last']);
    const history = historyOf();
    const ordered = ['early', 'received', 'late'];
    expect(await history.atEvent(received!)).toMatchObject({
      before: notes('early', 'late'),
      after: notes(...ordered),
    });
    expect(await history.atEvent(last!)).toMatchObject({ before: notes(...ordered), after: notes(...ordered, 'last') });
  });

  it('shows personal data', async () => {
    const [event] = await append(['Ann']);
    const writeModel = ({ texts }: Notes): string => `{"name":${personalText('1', JSON.stringify(texts[0]))}}`;
    expect(await historyOf(ofStream, { writeModel }).atEvent(event!)).toMatchObject({ after: '{"name":"Ann"}' });
  });

  it('starts with a snapshot if there are more than 2,000 events', async () => {
    const records = await append(many(mostPastEvents + 1));
    const [last] = records.slice(-1);
    await store(streamId, [], { eventId: records.at(-2)!.id, body: notes('of snapshot'), version: mostPastEvents });
    expect(await historyOf().atEvent(last!)).toEqual({
      ...none,
      key: `key of ${streamId}`,
      status: 'known',
      before: notes('of snapshot'),
      after: notes('of snapshot', `${mostPastEvents}`),
      events: 1,
      streams: 1,
      fromSnapshot: true,
    });
    await store(streamId, [], { eventId: last!.id, body: notes('of last') });
    const [other] = await append([''], { type: 'test.Other' });
    const { models } = await historyOf().atPlace(other!);
    expect(models).toEqual([
      {
        ...none,
        key: `key of ${streamId}`,
        status: 'known',
        before: notes('of last'),
        after: notes('of last'),
        fromSnapshot: true,
      },
    ]);
  });

  it('has only the key of a model with more than 2,000 events, if there is no snapshot', async () => {
    const [last] = (await append(many(mostPastEvents + 1))).slice(-1);
    expect(await historyOf().atEvent(last!)).toEqual({ ...none, status: 'tooLong' });
    await store(streamId);
    expect(await historyOf().atEvent(last!)).toEqual({ ...none, status: 'tooLong', key: `key of ${streamId}` });
  });

  it('knows the newest snapshot before an event', async () => {
    const ids = (await append(many(3))).map(({ id }) => id);
    expect(await historyOf().newestSnapshot(streamId, ids[2]!)).toBeNull();
    await store(streamId, [], { eventId: ids[0]! });
    await store(streamId, [], { eventId: ids[1]! });
    expect(await historyOf().newestSnapshot(streamId, ids[2]!)).toBe(ids[1]);
    expect(await historyOf().newestSnapshot(streamId, ids[1]!)).toBe(ids[0]);
    expect(await historyOf(ofKey).newestSnapshot(streamId, ids[2]!)).toBeNull();
  });

  it('separates tenants', () => {
    expect(historyOf().separatesTenants).toBe(true);
    expect(historyOf(ofKey).separatesTenants).toBe(false);
    const owners = new ModelOwners(ScopeFilters.Tenant);
    expect(historyOf(ofKey, { owners }).separatesTenants).toBe(true);
  });
});

describe('a history of models with keys', () => {
  it('has the model of an event, which may not be processed yet, with its events of all streams', async () => {
    const [first] = await append(['a']);
    const [second] = await append(['b'], { streamId: newId() });
    await store('k', [first!]);
    expect(await historyOf(ofKey).atEvent(second!)).toEqual({
      ...none,
      key: 'k',
      status: 'known',
      before: notes('a'),
      after: notes('a', 'b'),
      events: 2,
      streams: 2,
    });
  });

  it('has no model for an event that belongs to none', async () => {
    const [event] = await append([{ key: null }]);
    expect(await historyOf(ofKey).atEvent(event!)).toEqual(none);
  });

  it('has an error if the key of an event cannot be determined', async () => {
    const [event] = await append([{ key: 'fail' }]);
    expect(await historyOf(ofKey).atEvent(event!)).toEqual({ ...none, status: 'failed', error: 'RangeError: No key.' });
  });

  it('has the first 20 models that have events of a stream', async () => {
    const keys = many(21);
    const records = await append(keys.map((key) => ({ key, text: key })));
    for (const [i, key] of keys.slice(0, 20).entries()) await store(key, [records[i]!]);
    const at = records.at(-1)!;
    const complete = await historyOf(ofKey).atPlace(at);
    expect(complete.models.map(({ key, after }) => [key, after])).toEqual(
      keys.slice(0, 20).map((key) => [key, notes(key)]),
    );
    expect(complete.isComplete).toBe(true);
    await store('20', [at]);
    const some = await historyOf(ofKey).atPlace(at);
    expect([some.models.length, some.isComplete]).toEqual([20, false]);
  });

  it('has the models whose keys are ids of events, of which no positions are stored', async () => {
    const byId = { ...ofStream, keyOf: (_: Noted, { id }: AppliedEvent) => id };
    const [first, second] = await append(['a', 'b']);
    const common = { ...none, status: 'known', events: 1, streams: 1 };
    expect(await historyOf(byId).atEvent(first!)).toEqual({ ...common, key: first!.id, after: notes('a') });
    const models = [
      { ...common, key: second!.id, after: notes('b') },
      { ...common, key: first!.id, before: notes('a'), after: notes('a') },
    ];
    expect(await historyOf(byId).atPlace(second!)).toEqual({ models, isComplete: true });
    expect(await historyOf(byId).atPlace(first!)).toMatchObject({ models: [{ key: first!.id }] });
    const [last] = (await append(many(199))).slice(-1);
    const some = await historyOf(byId).atPlace(last!);
    expect([some.models.length, some.models[0]!.key, some.isComplete]).toEqual([20, last!.id, false]);
    // Earlier events of a long stream may have such models.
    const later = await append(
      Array.from({ length: 200 }, () => ''),
      { type: 'test.Other' },
    );
    expect(await historyOf(byId).atPlace(later.at(-1)!)).toEqual({ models: [], isComplete: false });
    expect(await historyOf(ofKey).atPlace(last!)).toEqual({ models: [], isComplete: true });
  });

  it('has no models for a stream without processed events', async () => {
    const [record] = await append(['a']);
    expect(await historyOf(ofKey).atPlace(record!)).toEqual({ models: [], isComplete: true });
  });
});
