import { beforeEach, describe, expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import {
  asTables,
  behindEverything,
  EventLog,
  InMemoryStorage,
  isOfSegment,
  PerspectiveMovedError,
  type InMemoryPerspectives,
  type PerspectiveCommit,
  type TablesRef,
} from '../../storage/index.js';
import { NoOpSystemEventEmitter } from '../../system-events/index.js';
import type { NamedPerspective } from '../perspective.js';
import { commitChanges, observeWaitingCommits } from '../testing/trial-commits.js';
import { Other, trialMessages, type Noted } from '../testing/trial-messages.js';
import {
  appendNote,
  applyNotes,
  notesOf as notesIn,
  notesPerspective,
  type NoteFields,
} from '../testing/trial-notes.js';
import { batchSize, catchUp } from './catch-up.js';
import { rebuildStream, type RebuiltStream } from './rebuild-stream.js';

const stream = newId();
const failing = new Set<string>();
/** The keys that `keyOf` returns instead of those of events. */
const keys = new Map<string, string | null>();
const ofStream = notesPerspective({ failing });
const ofKey: NamedPerspective = {
  ...ofStream,
  perspective: {
    apply: applyNotes({ failing }),
    keyOf: ({ note, key }: Noted) => (keys.has(note) ? keys.get(note)! : key),
  },
};

let storage: InMemoryStorage;
let perspectives: InMemoryPerspectives;
let log: EventLog;
let commits: PerspectiveCommit[];
/** Called before the next commit. */
let beforeCommit: (() => void | Promise<void>) | null;
let readsOfStream: number;
/** Whether the perspective is divided. Segments share their progress here. */
let isDivided: boolean;

beforeEach(() => {
  storage = new InMemoryStorage();
  ({ perspectives } = storage);
  log = new EventLog(storage, trialMessages);
  failing.clear();
  keys.clear();
  beforeCommit = null;
  isDivided = false;
  readsOfStream = 0;
  const readStream = storage.readStream.bind(storage);
  storage.readStream = (...args) => {
    readsOfStream++;
    return readStream(...args);
  };
  let reads = 0;
  const readProgress = perspectives.readProgress.bind(perspectives);
  // More than any test needs: a rebuild that never ends fails a test instead of blocking it.
  perspectives.readProgress = async (tables: TablesRef) => {
    if (++reads > 50) throw new Error('It starts again without an end.');
    const progress = await readProgress(tables);
    const isSegment = asTables(tables).segment !== undefined;
    if (isSegment) return isDivided ? progress : { ...progress, sequence: behindEverything };
    return isDivided ? { ...progress, segments: [progress, progress] } : progress;
  };
  commits = observeWaitingCommits(perspectives, async () => {
    const before = beforeCommit;
    beforeCommit = null;
    await before?.();
  });
});

const append = (note: string, fields?: NoteFields): Uuid =>
  appendNote(storage, note, { streamId: stream, ...fields }).id;
const notesOf = (id: string = stream): Promise<string | undefined> => notesIn(perspectives, 'Notes', id);

/** Processes what is stored, like the worker. */
async function process(named: NamedPerspective): Promise<void> {
  const parts = { log, storage: perspectives, emitter: new NoOpSystemEventEmitter() };
  const was = isDivided;
  isDivided = false;
  await catchUp(named, { into: named.name, isShared: true, signal: undefined }, parts);
  isDivided = was;
  commits.length = 0;
}

const rebuilt = (named: NamedPerspective, streamId = stream): Promise<RebuiltStream> =>
  rebuildStream(named, streamId, { log, storage: perspectives });

const segments = (): (number | undefined)[] => commits.map(({ tables }) => tables!.segment?.index);

describe('a rebuilt stream', () => {
  it('empties its model if the perspective no longer processes its events', async () => {
    append('a');
    await process(ofStream);
    expect(await rebuilt({ ...ofStream, events: [Other] })).toMatchObject({ replayed: 0, failures: [] });
    expect(await perspectives.readModels('Notes', [stream])).toMatchObject([{ body: null, version: 0 }]);
  });

  it('reports how many events it has applied, and each failure, of all segments', async () => {
    for (let i = 0; i < 6; i++) append(`${i}`, { key: `key ${i}` });
    await process(ofKey);
    isDivided = true;
    failing.add('5');
    const { replayed, failures } = await rebuilt(ofKey);
    expect(replayed).toBe(6);
    expect(failures).toMatchObject([{ event: { position: 5 }, attempt: 1 }]);
  });
});

describe('a stream that has models only later', () => {
  it('is rebuilt with the events that the worker processes during its rebuild', async () => {
    const other = newId();
    append('a', { key: 'x' });
    await process(ofKey);
    beforeCommit = async () => {
      append('b', { key: 'x', streamId: other });
      await process(ofKey);
    };
    expect(await rebuilt(ofKey, other)).toMatchObject({ replayed: 2 });
    expect(await notesOf('x')).toBe('ab');
  });

  it('resumes in each segment that was stopped, also without any model of it', async () => {
    keys.set('bad', '\0');
    append('bad');
    await process(ofKey);
    expect(await perspectives.readStopped('Notes')).toHaveLength(1);
    keys.set('bad', null);
    isDivided = true;
    expect(await rebuilt(ofKey)).toMatchObject({ failures: [] });
    expect(await perspectives.readStopped('Notes')).toEqual([]);
  });

  it('stops in its own segment at an event whose model cannot be determined', async () => {
    let streamId = newId();
    while (!isOfSegment(streamId, { index: 1, of: 2 })) streamId = newId();
    keys.set('bad', null);
    append('bad', { streamId });
    await process(ofKey);
    keys.set('bad', '\0');
    isDivided = true;
    const { failures } = await rebuilt(ofKey, streamId);
    expect(failures).toMatchObject([{ error: { code: 'SVC_INVALID_VALUE' }, attempt: 1 }]);
    expect(segments()).toEqual([1]);
    expect(await perspectives.readStopped('Notes')).toMatchObject([{ streamId }]);
  });
});

describe('a stream whose perspective changes during its rebuild', () => {
  it('is rebuilt in each segment if the perspective was divided', async () => {
    append('a', { key: 'key 0' });
    append('b', { key: 'key 1' });
    for (let i = 2; i < 8; i++) append(`${i}`, { key: `key ${i}` });
    await process(ofKey);
    beforeCommit = () => {
      isDivided = true;
      throw new PerspectiveMovedError('Notes', 0, 1);
    };
    expect(await rebuilt(ofKey)).toMatchObject({ replayed: 8 });
    expect(segments()).toEqual([0, 1]);
  });

  it('is rebuilt in each segment if the perspective was divided right at the start', async () => {
    for (let i = 0; i < 8; i++) append(`${i}`, { key: `key ${i}` });
    await process(ofKey);
    const readProgress = perspectives.readProgress.bind(perspectives);
    perspectives.readProgress = async (tables) => {
      const progress = await readProgress(tables);
      isDivided = true;
      return progress;
    };
    expect(await rebuilt(ofKey)).toMatchObject({ replayed: 8 });
    expect(segments()).toEqual([0, 1]);
  });

  it('is not read again after a commit that has processed no event', async () => {
    append('a', { key: 'x' });
    append('b', { key: 'y', streamId: newId() });
    await process(ofKey);
    beforeCommit = async () => {
      const { sequence } = await perspectives.readProgress('Notes');
      await commitChanges(perspectives, 'Notes', { to: sequence });
    };
    expect(await rebuilt(ofKey)).toMatchObject({ replayed: 1 });
    expect(readsOfStream).toBe(1);
    expect(commits).toHaveLength(2);
  });

  it('reads the events since then only up to the progress of the worker', async () => {
    append('a', { key: 'x' });
    await process(ofKey);
    let pages = 0;
    const readReplayPages = log.readReplayPages.bind(log);
    log.readReplayPages = async function* (...args) {
      for await (const page of readReplayPages(...args)) {
        pages++;
        yield page;
      }
    };
    beforeCommit = async () => {
      for (let i = 0; i < batchSize; i++) append('b', { key: 'x' });
      await process(ofKey);
      append('not processed', { key: 'x' });
      pages = 0;
    };
    expect(await rebuilt(ofKey)).toMatchObject({ replayed: batchSize + 1 });
    expect([pages, readsOfStream]).toEqual([1, 1]);
    expect(await notesOf('x')).toBe(`a${'b'.repeat(batchSize)}`);
  });

  it('is read again if one stream was stopped and another one has resumed', async () => {
    const [one, two] = [newId(), newId()];
    append('a', { key: 'x' });
    append('bad one', { key: 'x', streamId: one });
    append('two', { key: 'x', streamId: two });
    failing.add('bad one');
    await process(ofKey);
    expect(await notesOf('x')).toBe('atwo');
    beforeCommit = async () => {
      failing.clear();
      failing.add('bad two');
      await rebuilt(ofKey, one);
      append('bad two', { key: 'x', streamId: two });
      await process(ofKey);
      expect(await perspectives.readStopped('Notes')).toMatchObject([{ streamId: two }]);
      readsOfStream = 0;
    };
    await rebuilt(ofKey);
    expect(readsOfStream).toBe(1);
    // The stream that has resumed is processed, and the one that has stopped is not.
    expect(await notesOf('x')).toBe('abad onetwo');
  });

  it('adds an event without a model to no model, also if one has an empty key', async () => {
    append('a', { key: '' });
    await process(ofKey);
    beforeCommit = async () => {
      append('b', { key: null });
      append('c', { key: '' });
      await process(ofKey);
    };
    expect((await rebuilt(ofKey)).failures).toEqual([]);
    expect(await notesOf('')).toBe('ac');
  });
});
