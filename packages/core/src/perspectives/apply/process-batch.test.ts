import { beforeEach, describe, expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import { EventLog, InMemoryStorage, type ModelSource } from '../../storage/index.js';
import { receivedAfter } from '../testing/trial-events.js';
import { Noted, trialMessages } from '../testing/trial-messages.js';
import { appendNote, applyNotes, notesOf as notesIn, type NoteFields } from '../testing/trial-notes.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { ModelBuffer } from './model-buffer.js';
import { ModelEvents, stopsOf } from './model-events.js';
import { BatchProcessor, type Batch, type PlannedBatch } from './process-batch.js';

const stream = newId();
const failing = new Set<string>();
const named = namedPerspective({
  perspective: { apply: applyNotes({ failing }), keyOf: ({ key }: Noted) => key },
  events: [Noted],
});

let storage: InMemoryStorage;
let log: EventLog;
let buffer: ModelBuffer;
let processor: BatchProcessor;

beforeEach(async () => {
  storage = new InMemoryStorage();
  log = new EventLog(storage, trialMessages);
  failing.clear();
  const { perspectives } = storage;
  buffer = new ModelBuffer(named, perspectives, { mostCharacters: 1_000_000, commitEvery: () => Infinity });
  buffer.startAt('Notes', await perspectives.readProgress('Notes'));
  const finder = ModelEvents.ofServing(named, { log, storage: perspectives });
  processor = new BatchProcessor(named, { buffer, finder, storage: perspectives });
});

const append = (note: string, fields?: NoteFields): Uuid =>
  appendNote(storage, note, { streamId: stream, ...fields }).id;
const notesOf = (id = 'k'): Promise<string | undefined> => notesIn(storage.perspectives, 'Notes', id);

/** The records after a place. */
async function batchAfter(sequence: number): Promise<Batch> {
  const records: Batch['records'][number][] = [];
  for await (const record of log.readRecords(sequence)) records.push(record);
  return { records, upTo: records.at(-1)! };
}

async function process(sequence: number, isCareful = false): Promise<PlannedBatch> {
  const plan = await processor.plan(await batchAfter(sequence), isCareful);
  processor.process(plan);
  await buffer.flush();
  return plan;
}

describe('a batch', () => {
  it('is applied to models in memory, and to stored models if one of its events may not be applicable', async () => {
    append('a');
    const plan = await process(-1);
    expect('models' in plan.work).toBe(true);
    append('b');
    const careful = await process(0, true);
    expect('stored' in careful.work && [...careful.work.stored.keys()]).toEqual(['k']);
    expect(careful.rewinds).toEqual([]);
    expect(await notesOf()).toBe('ab');
  });

  it('reports how many events it has applied', async () => {
    for (const key of ['k', 'l', null]) append('a', { key });
    const plan = await processor.plan(await batchAfter(-1), false);
    expect(processor.process(plan)).toEqual({ failures: [], applied: 3 });
    append('b');
    const careful = await processor.plan(await batchAfter(2), true);
    expect(processor.process(careful)).toEqual({ failures: [], applied: 1 });
    expect(buffer.place).toMatchObject({ sequence: 3 });
  });

  it('with late events replays each of their models once, because of all late events of the model', async () => {
    const ids = Array.from({ length: 6 }, () => newId());
    const last = ids[5]!;
    append('a', { id: ids[0]! });
    append('d', { id: ids[4]! });
    append('x', { id: last, key: 'l' });
    await process(-1);
    append('c', { id: ids[3]!, metadata: receivedAfter(last) });
    append('b', { id: ids[1]!, metadata: receivedAfter(last) });
    append('w', { id: ids[2]!, key: 'l', metadata: receivedAfter(last) });
    append('n', { key: null });
    const plan = await process(2);
    const late = plan.rewinds.map((rewind) => [rewind.id, rewind.late.map(({ envelope }) => envelope.id)]);
    expect(late).toEqual([
      ['k', [ids[1], ids[3]]],
      ['l', [ids[2]]],
    ]);
    expect([await notesOf('k'), await notesOf('l')]).toEqual(['abcd', 'wx']);
  });

  it('reads all events of a replayed model without a snapshot, and not more', async () => {
    const ids = Array.from({ length: 3 }, () => newId());
    append('a', { id: ids[0]! });
    append('c', { id: ids[2]! });
    await process(-1);
    append('b', { id: ids[1]!, metadata: receivedAfter(ids[2]!) });
    append('d');
    const { perspectives } = storage;
    const pages: (readonly ModelSource[])[] = [];
    const readSources = perspectives.readSources.bind(perspectives);
    perspectives.readSources = async (...args) => {
      const page = await readSources(...args);
      pages.push(page.sources);
      return page;
    };
    const { rewinds } = await process(1);
    expect(rewinds[0]!.events.map(({ sequence }) => sequence)).toEqual([2, 3, 0, 1]);
    expect(pages).toHaveLength(1);
    expect(await notesOf()).toBe('abcd');
  });

  it('counts a failure at the event where its stream was stopped before the tables were emptied', async () => {
    append('a');
    const eventId = append('bad');
    failing.add('bad');
    const plan = await processor.plan(await batchAfter(-1), true);
    const stop = { streamId: stream, eventId, position: 1, errorName: 'Error', errorMessage: '', attempts: 3 };
    const { failures, applied } = processor.process(plan, stopsOf([stop]));
    expect(failures).toMatchObject([{ event: { envelope: { id: eventId } }, attempt: 4 }]);
    expect(applied).toBe(2);
    await buffer.flush();
    expect(await storage.perspectives.readStopped('Notes')).toMatchObject([{ eventId, attempts: 4 }]);
    expect(await notesOf()).toBe('a');
    // From there on, events of the stream are not processed.
    const again = await processor.plan(await batchAfter(-1), true);
    expect(again.stops.get(stream)).toMatchObject({ attempts: 4 });
    expect(again.work.events.map(({ sequence }) => sequence)).toEqual([0]);
  });
});
