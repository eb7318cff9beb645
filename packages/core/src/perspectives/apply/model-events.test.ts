import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import { ScopeFilters } from '../../security/index.js';
import {
  behindEverything,
  EventLog,
  InMemoryStorage,
  isOfSegment,
  sourcesPerPage,
  type PendingRecord,
  type StoppedStream,
  type StoredEvent,
  type StoredRecord,
} from '../../storage/index.js';
import { ModelOwners } from '../model-owner.js';
import type { AppliedEvent, NamedPerspective, Perspective } from '../perspective.js';
import { commitChanges } from '../testing/trial-commits.js';
import { appendEvent, receivedAfter } from '../testing/trial-events.js';
import { Noted, trialMessages } from '../testing/trial-messages.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { scannedPositions } from './has-source.js';
import { ModelEvents, stopsOf, type ReadSources, type Stops, type WantedEvents } from './model-events.js';
import { planRewinds } from './rewind.js';
import { UnreadableEvent } from './unreadable-event.js';

const ofStream: Perspective<object, Noted> = { apply: (model) => model ?? {} };
const ofKey: Perspective<object, Noted> = { ...ofStream, keyOf: ({ key }) => key };
const everywhere = { sequence: behindEverything };
const noStops: Stops = new Map();
const noSources: ReadSources = () => Promise.resolve({ sources: [], next: null });

const namedOf = (perspective: Perspective<object, Noted>): NamedPerspective =>
  namedPerspective({ perspective, events: [Noted] });

let storage: InMemoryStorage;
let log: EventLog;
let streamId: Uuid;

beforeEach(() => {
  storage = new InMemoryStorage();
  log = new EventLog(storage, trialMessages);
  streamId = newId();
});

const append = (fields?: Partial<PendingRecord>): Uuid => appendEvent(storage, { streamId, ...fields }).id;

async function records(): Promise<StoredRecord[]> {
  const all: StoredRecord[] = [];
  for await (const record of log.readRecords(-1)) all.push(record);
  return all;
}

const idsOf = (events: readonly StoredEvent[]): Uuid[] => events.map(({ envelope }) => envelope.id);
const finderOf = (perspective: Perspective<object, Noted>, readSources = noSources): ModelEvents =>
  new ModelEvents(namedOf(perspective), log, readSources);

function stopped(eventId: Uuid, position: number): StoppedStream {
  return { streamId, eventId, position, errorName: 'Error', errorMessage: '', attempts: 1 };
}

describe('the events of a perspective', () => {
  it('are those of its types, up to where their stream is stopped', async () => {
    const first = append();
    append({ type: 'test.Other' });
    const stop = append();
    append();
    const other = append({ streamId: newId() });
    const finder = finderOf(ofStream);
    expect([...finder.types]).toEqual(['test.Noted']);
    expect(idsOf(finder.of(await records(), stopsOf([stopped(stop, 2)])))).toEqual([first, other]);
  });

  it('of a stream end at a place', async () => {
    const ids = [append(), append(), append()];
    append({ streamId: newId() });
    const finder = finderOf(ofStream);
    expect(idsOf(await finder.ofStream(streamId, { sequence: 1 }, noStops))).toEqual(ids.slice(0, 2));
    expect(idsOf(await finder.ofStream(streamId, everywhere, stopsOf([stopped(ids[1]!, 1)])))).toEqual([ids[0]]);
  });

  it('include one that cannot be read, with the error', async () => {
    append({ body: 'no JSON' });
    const [event] = finderOf(ofStream).of(await records(), noStops);
    expect(event!.envelope.payload).toBeInstanceOf(UnreadableEvent);
    expect(event!.envelope.payload).toMatchObject({ error: expect.any(SyntaxError) as Error });
  });

  it('are divided among segments by the ids of their models', async () => {
    for (let i = 0; i < 20; i++) append({ streamId: newId(), body: JSON.stringify({ key: `key ${i}` }) });
    append({ streamId: newId(), body: JSON.stringify({ key: '\0' }) });
    append({ streamId: newId(), body: 'no JSON' });
    const all = await records();
    const modelOf = (record: StoredRecord): string => {
      const isReadable = record.body.includes('key ');
      return isReadable ? (JSON.parse(record.body) as { key: string }).key : record.streamId;
    };
    for (const index of [0, 1]) {
      const segment = { index, of: 2 };
      const keyed = new ModelEvents(namedOf(ofKey), log, noSources, segment).of(all, noStops);
      expect(idsOf(keyed)).toEqual(all.filter((one) => isOfSegment(modelOf(one), segment)).map(({ id }) => id));
      const plain = new ModelEvents(namedOf(ofStream), log, noSources, segment).of(all, noStops);
      expect(idsOf(plain)).toEqual(all.filter((one) => isOfSegment(one.streamId, segment)).map(({ id }) => id));
    }
  });
});

describe('the events of a model', () => {
  const wanted = { after: null, count: Infinity, upTo: everywhere, stops: noStops };

  it('of a stream are found without stored positions at its start', async () => {
    const ids = Array.from({ length: 450 }, () => append());
    const reads: number[][] = [];
    const readPositions = storage.readPositions.bind(storage);
    storage.readPositions = (stream, positions) => {
      reads.push([...positions]);
      return readPositions(stream, positions);
    };
    const finder = finderOf(ofStream);
    expect(idsOf(await finder.ofModel(streamId, wanted, [])).toSorted()).toEqual(ids);
    expect(reads.map((one) => [one[0], one.at(-1)])).toEqual([
      [250, 449],
      [50, 249],
      [0, 49],
    ]);
    reads.length = 0;
    // It stops to read backwards once it has found all.
    const some = await finder.ofModel(streamId, { ...wanted, after: ids[398]!, count: 51 }, []);
    expect(idsOf(some)).toEqual(ids.slice(399));
    expect(reads).toHaveLength(1);
    reads.length = 0;
    expect(await finder.ofModel(streamId, { ...wanted, count: 0 }, [])).toEqual([]);
    expect(reads).toEqual([]);
  });

  it('end at a place and where the stream is stopped', async () => {
    const ids = [append(), append(), append(), append()];
    const finder = finderOf(ofStream);
    expect(idsOf(await finder.ofModel(streamId, { ...wanted, upTo: { sequence: 2 } }, []))).toEqual(ids.slice(0, 3));
    const stops = stopsOf([stopped(ids[1]!, 1)]);
    expect(idsOf(await finder.ofModel(streamId, { ...wanted, stops }, []))).toEqual(ids.slice(0, 1));
    expect(idsOf(await finder.ofModel(streamId, { ...wanted, after: ids[2]! }, []))).toEqual(ids.slice(3));
  });

  it('after the start of a long stream are found at their stored positions', async () => {
    const ids = Array.from({ length: scannedPositions + 5 }, () => append());
    const late = scannedPositions + 3;
    const source = { id: streamId, streamId, block: Math.floor(late / 32), events: 0, lastEventId: ids[late]! };
    const events = (1 << (late % 32)) >>> 0;
    const finder = finderOf(ofStream, () => Promise.resolve({ sources: [{ ...source, events }], next: null }));
    const found = idsOf(await finder.ofModel(streamId, wanted, []));
    expect(found.toSorted()).toEqual([...ids.slice(0, scannedPositions), ids[late]!]);
  });

  it('of a key are found at the stored positions of all streams, page by page', async () => {
    const other = newId();
    const [first, second, third] = [append(), append({ streamId: other }), append({ streamId: other })];
    append({ body: '{"key":"another"}' });
    const asked: unknown[] = [];
    const readSources: ReadSources = (id, after, next) => {
      asked.push([id, after, next]);
      const source = { id, block: 0, lastEventId: third };
      return Promise.resolve(
        next === null
          ? { sources: [{ ...source, streamId: other, events: 0b11 }], next: { streamId: other, block: 0 } }
          : {
              sources: [
                { ...source, streamId, events: 0b10 },
                { ...source, streamId, events: 0b11 },
              ],
              next: null,
            },
      );
    };
    const finder = finderOf(ofKey, readSources);
    expect(idsOf(await finder.ofModel('k', wanted, []))).toEqual([second, third, first]);
    expect(asked).toEqual([
      ['k', null, null],
      ['k', null, { streamId: other, block: 0 }],
    ]);
    asked.length = 0;
    expect(idsOf(await finder.ofModel('k', { ...wanted, count: 2 }, []))).toEqual([second, third]);
    expect(asked).toHaveLength(1);
  });

  it('include the one whose id is the key of the model, for which no position is stored', async () => {
    const ids = [append({ body: '{"key":null}' }), append()];
    const byId = { ...ofStream, keyOf: ({ key }: Noted, { id }: AppliedEvent) => (key === null ? id : ids[0]!) };
    const source = { id: ids[0]!, streamId, block: 0, events: 0b10, lastEventId: ids[1]! };
    const finder = finderOf(byId, () => Promise.resolve({ sources: [source], next: null }));
    const search = async (fields: Partial<WantedEvents>, known: readonly StoredEvent[] = []) =>
      idsOf(await finder.ofModel(ids[0]!, { ...wanted, ...fields }, known));
    expect(await search({})).toEqual([ids[1], ids[0]]);
    // It is looked for only if another event is missing.
    const find = vi.spyOn(storage, 'findEvent');
    expect(await search({ count: 1 })).toEqual([ids[1]]);
    const known = finder.of(await records(), noStops);
    expect(await search({}, known)).toEqual(ids);
    expect(find).not.toHaveBeenCalled();
    expect(await search({ upTo: { sequence: -1 } })).toEqual([]);
    expect(await search({ after: ids[0]! })).toEqual([ids[1]]);
    expect(await search({ stops: stopsOf([stopped(ids[0]!, 0)]) })).toEqual([]);
    // The event of another model: its id is not the key of this one.
    expect(await finder.ofModel(ids[1]!, wanted, [])).toEqual([]);
    expect(await finder.ofModel(newId(), wanted, [])).toEqual([]);
  });

  it('do not include one of another tenant whose id is the key of the model', async () => {
    const id = append({ scope: { tenantId: 'a' } });
    const perspective: Perspective<object, Noted> = { ...ofStream, keyOf: (_, event) => event.id };
    const owners = new ModelOwners(ScopeFilters.Tenant);
    const finder = new ModelEvents(namedPerspective({ perspective, events: [Noted], owners }), log, noSources);
    expect(idsOf(await finder.ofModel(owners.idOf(id, 'a'), wanted, []))).toEqual([id]);
    expect(await finder.ofModel(owners.idOf(id, 'b'), wanted, [])).toEqual([]);
  });

  it('include the known ones of the model, which count', async () => {
    append();
    append({ body: '{"key":"another"}' });
    const known = finderOf(ofKey).of(await records(), noStops);
    let reads = 0;
    const finder = finderOf(ofKey, () => {
      reads++;
      return Promise.resolve({ sources: [], next: null });
    });
    expect(await finder.ofModel('k', { ...wanted, count: 1 }, known)).toEqual([known[0]]);
    expect(reads).toBe(0);
    expect(await finder.ofModel('k', { ...wanted, count: 2 }, known)).toEqual([known[0]]);
    expect(reads).toBe(1);
  });

  it('are not searched any longer once the caller has given up', async () => {
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(finderOf(ofKey).ofModel('k', { ...wanted, signal }, [])).rejects.toThrow('cancelled');
  });

  it('are those of the serving models by default', async () => {
    append();
    await commitChanges(storage.perspectives, 'Notes', {
      sources: [{ id: 'k', streamId, block: 0, events: 1, lastEventId: newId() }],
    });
    const finder = ModelEvents.ofServing(namedOf(ofKey), { log, storage: storage.perspectives });
    expect(await finder.ofModel('k', wanted, [])).toHaveLength(1);
    expect(await finder.ofModel('another', wanted, [])).toHaveLength(0);
    expect(sourcesPerPage).toBeGreaterThan(1);
  });
});

describe('the rewinds of a batch', () => {
  it('are planned for stored models with a late event, from the last snapshot before it', async () => {
    const later = [newId(), newId(), newId(), newId()];
    const ids = [append({ id: later[0]! }), append({ id: later[3]! })];
    append({ id: later[2]!, metadata: receivedAfter(later[3]!) });
    append({ id: later[1]!, metadata: receivedAfter(later[3]!) });
    append({ streamId: newId(), metadata: receivedAfter(later[3]!) });
    const finder = finderOf(ofStream);
    const events = finder.of((await records()).slice(2), noStops);
    const byModel = new Map([
      [streamId, events.slice(0, 2)],
      [events[2]!.streamId, events.slice(2)],
    ]);
    const model = { id: streamId, key: streamId, owner: 'o', scope: null, body: '{}', version: 102, revision: 1 };
    const stored = new Map([[streamId, { ...model, lastEventId: ids[1]! }]]);
    const snapshot = { id: streamId, eventId: ids[0]!, body: '{}', version: 101 };
    const asked: unknown[] = [];
    const readSnapshot = (...args: unknown[]) => {
      asked.push(args);
      return Promise.resolve(snapshot);
    };
    const parts = { finder, storage: { readSnapshot }, tables: 'Notes', stops: noStops, upTo: everywhere };
    const rewinds = await planRewinds(byModel, stored, parts);
    expect(rewinds).toHaveLength(1);
    const [rewind] = rewinds;
    expect(idsOf(rewind!.late)).toEqual([later[1], later[2]]);
    expect(asked).toEqual([['Notes', streamId, later[1]]]);
    expect(rewind).toMatchObject({ id: streamId, snapshot });
    expect(idsOf(rewind!.events).toSorted()).toEqual(later.slice(1));
    expect(rewind!.start(namedOf(ofStream))).toMatchObject({ owner: 'o', version: 101, lastEventId: ids[0] });
    const current = new Map([[streamId, { ...model, lastEventId: later[1]! }]]);
    expect(await planRewinds(new Map([[streamId, events.slice(1, 2)]]), current, parts)).toEqual([]);
  });

  it('read all events of a model without a snapshot', async () => {
    const later = [newId(), newId()];
    append({ id: later[1]! });
    append({ id: later[0]!, metadata: receivedAfter(later[1]!) });
    const finder = finderOf(ofStream);
    const events = finder.of((await records()).slice(1), noStops);
    const model = {
      id: streamId,
      key: streamId,
      owner: '',
      scope: null,
      body: '{}',
      version: 1,
      lastEventId: later[1]!,
    };
    const rewinds = await planRewinds(new Map([[streamId, events]]), new Map([[streamId, model]]), {
      finder,
      storage: { readSnapshot: () => Promise.resolve(null) },
      tables: 'Notes',
      stops: noStops,
      upTo: everywhere,
    });
    expect(idsOf(rewinds[0]!.events).toSorted()).toEqual(later);
    expect(rewinds[0]!.snapshot).toBeNull();
  });
});
