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
  type Progress,
  type TablesRef,
} from '../../storage/index.js';
import { NoOpSystemEventEmitter } from '../../system-events/index.js';
import type { NamedPerspective } from '../perspective.js';
import { commitChanges, observeWaitingCommits } from '../testing/trial-commits.js';
import { receivedAfter } from '../testing/trial-events.js';
import { trialMessages, type Noted } from '../testing/trial-messages.js';
import {
  appendNote,
  applyNotes,
  notesOf as notesIn,
  notesPerspective,
  type NoteFields,
} from '../testing/trial-notes.js';
import { catchUp } from './catch-up.js';
import { rebuildStream, type RebuiltStream } from './rebuild-stream.js';

const stream = newId();
const failing = new Set<string>();
const ofStream = notesPerspective({ failing });
const ofKey: NamedPerspective = {
  ...ofStream,
  perspective: { apply: applyNotes({ failing }), keyOf: ({ key }: Noted) => key },
};

let storage: InMemoryStorage;
let perspectives: InMemoryPerspectives;
let log: EventLog;
let commits: PerspectiveCommit[];
/** Called before the next commit. */
let beforeCommit: (() => void | Promise<void>) | null;

beforeEach(() => {
  storage = new InMemoryStorage();
  ({ perspectives } = storage);
  log = new EventLog(storage, trialMessages);
  failing.clear();
  beforeCommit = null;
  let reads = 0;
  const readStopped = perspectives.readStopped.bind(perspectives);
  // More than any test needs: a rebuild that never ends fails a test instead of blocking it.
  perspectives.readStopped = async (tables) => {
    if (++reads > 50) throw new Error('It starts again without an end.');
    return await readStopped(tables);
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
const process = (named: NamedPerspective): Promise<Progress> =>
  catchUp(
    named,
    { into: named.name, isShared: true, signal: undefined },
    { log, storage: perspectives, emitter: new NoOpSystemEventEmitter() },
  );
const rebuilt = (named: NamedPerspective, streamId = stream, signal?: AbortSignal): Promise<RebuiltStream> =>
  rebuildStream(named, streamId, { log, storage: perspectives }, signal);

/** Replaces stored models, as if an earlier version of `apply` had computed them. */
async function spoil(...ids: string[]): Promise<void> {
  const stored = await perspectives.readModels('Notes', ids);
  const { sequence } = await perspectives.readProgress('Notes');
  const models = stored.map((model) =>
    Object.assign({}, model, { owner: 'o', body: '{"notes":"spoiled"}', indexed: {} }),
  );
  await commitChanges(perspectives, 'Notes', { to: sequence, models });
  commits.length = 0;
}

describe('a rebuilt stream', () => {
  it('has its model replayed from all events up to the progress, with its owner', async () => {
    append('a');
    append('b');
    await process(ofStream);
    await spoil(stream);
    append('later');
    expect(await rebuilt(ofStream)).toMatchObject({ replayed: 2, failures: [] });
    expect(await notesOf()).toBe('ab');
    expect(await perspectives.readModels('Notes', [stream])).toMatchObject([{ owner: 'o', version: 2 }]);
    expect(commits).toMatchObject([{ to: 1, resumed: [stream], rewound: [{ id: stream, afterEventId: null }] }]);
    await process(ofStream);
    expect(await notesOf()).toBe('ablater');
  });

  it('has every model with one of its events replayed, with their events of other streams', async () => {
    const other = newId();
    append('a', { key: 'x' });
    append('b', { key: 'x', streamId: other });
    append('c', { key: 'y' });
    append('d', { key: 'z', streamId: other });
    await process(ofKey);
    await spoil('x', 'y', 'z');
    expect(await rebuilt(ofKey)).toMatchObject({ replayed: 3 });
    expect([await notesOf('x'), await notesOf('y'), await notesOf('z')]).toEqual(['ab', 'c', 'spoiled']);
  });

  it('without events changes nothing', async () => {
    append('a');
    await process(ofStream);
    expect(await rebuilt(ofStream, newId())).toMatchObject({ replayed: 0, failures: [] });
    expect(await notesOf()).toBe('a');
  });

  it('that was stopped resumes, or counts a further failure at the same event', async () => {
    append('a');
    const bad = append('bad');
    append('b');
    failing.add('bad');
    await process(ofStream);
    const { failures } = await rebuilt(ofStream);
    expect(failures).toMatchObject([{ event: { envelope: { id: bad } }, attempt: 2 }]);
    expect(await perspectives.readStopped('Notes')).toMatchObject([{ streamId: stream, attempts: 2 }]);
    failing.clear();
    expect(await rebuilt(ofStream)).toMatchObject({ replayed: 3, failures: [] });
    expect(await notesOf()).toBe('abadb');
    expect(await perspectives.readStopped('Notes')).toEqual([]);
  });

  it('fails at an event whose key cannot be determined', async () => {
    append('a');
    append('b', { key: '\0' });
    const { failures } = await rebuilt(ofKey);
    expect(failures).toEqual([]);
    await process(ofKey);
    expect((await rebuilt(ofKey)).failures).toMatchObject([{ error: { code: 'SVC_INVALID_VALUE' }, attempt: 2 }]);
  });

  it('does not process what other streams have stopped at', async () => {
    const other = newId();
    append('a');
    append('bad', { streamId: other });
    append('b', { streamId: other });
    failing.add('bad');
    await process(ofKey);
    failing.clear();
    await rebuilt(ofKey);
    expect(await notesOf('k')).toBe('a');
  });

  it('is not begun or continued once it is cancelled', async () => {
    append('a');
    await process(ofStream);
    const cancelled = AbortSignal.abort(new Error('cancelled'));
    await expect(rebuilt(ofStream, stream, cancelled)).rejects.toThrow('cancelled');
    const cancel = new AbortController();
    commits.length = 0;
    beforeCommit = () => {
      cancel.abort(new Error('cancelled'));
      throw new PerspectiveMovedError('Notes', 0, 1);
    };
    await expect(rebuilt(ofStream, stream, cancel.signal)).rejects.toThrow('cancelled');
    expect(commits).toEqual([]);
    beforeCommit = () => {
      throw new Error('away');
    };
    await expect(rebuilt(ofStream)).rejects.toThrow('away');
  });
});

describe('a stream that the worker continues to process during its rebuild', () => {
  let readsOfStream: number;

  beforeEach(async () => {
    append('a', { key: 'x' });
    await process(ofKey);
    await spoil('x');
    readsOfStream = 0;
    const readStream = storage.readStream.bind(storage);
    storage.readStream = (...args) => {
      readsOfStream++;
      return readStream(...args);
    };
  });

  it('gets the events since then without reading everything again', async () => {
    beforeCommit = async () => {
      append('b', { key: 'x', streamId: newId() });
      append('c', { key: 'other', streamId: newId() });
      append('d', { key: 'x' });
      await process(ofKey);
    };
    expect(await rebuilt(ofKey)).toMatchObject({ replayed: 3 });
    expect(readsOfStream).toBe(1);
    expect(await notesOf('x')).toBe('abd');
    expect(await notesOf('other')).toBe('c');
  });

  it.each<[string, () => void, string]>([
    ['of which one belongs to a new model', () => append('b', { key: 'new' }), 'a'],
    [
      'of which one is late',
      () => {
        const late = newId();
        const last = append('b', { key: 'x' });
        append('c', { key: 'x', id: late, metadata: receivedAfter(last) });
      },
      'acb',
    ],
    [
      'of which one fails',
      () => {
        failing.add('bad');
        append('bad', { key: 'x' });
      },
      'a',
    ],
  ])('is read again with events %s', async (_name, change, notes) => {
    beforeCommit = async () => {
      change();
      await process(ofKey);
    };
    await rebuilt(ofKey);
    expect(readsOfStream).toBe(2);
    expect(await notesOf('x')).toBe(notes);
  });

  it('is read again if another stream was stopped, or if it has failures itself', async () => {
    beforeCommit = async () => {
      failing.add('bad');
      append('bad', { key: 'another', streamId: newId() });
      await process(ofKey);
    };
    await rebuilt(ofKey);
    expect(readsOfStream).toBe(2);
    failing.add('a');
    readsOfStream = 0;
    beforeCommit = async () => {
      append('b', { key: 'x', streamId: newId() });
      await process(ofKey);
    };
    expect((await rebuilt(ofKey)).failures).toHaveLength(1);
    expect(readsOfStream).toBe(2);
  });

  it('is read again if the progress was reset by a rebuild', async () => {
    beforeCommit = () => perspectives.clearPerspective('Notes');
    await rebuilt(ofKey);
    expect(readsOfStream).toBe(2);
    expect(await notesOf('x')).toBeUndefined();
    await process(ofKey);
    expect(await notesOf('x')).toBe('a');
  });
});

describe('a stream of a divided perspective', () => {
  /** Whether the perspective is divided. Segments share their progress here. */
  let segments: number | null;

  beforeEach(async () => {
    segments = 2;
    for (let i = 0; i < 8; i++) append(`${i}`, { key: `key ${i}` });
    await process(ofKey);
    await spoil(...Array.from({ length: 8 }, (_, i) => `key ${i}`));
    const readProgress = perspectives.readProgress.bind(perspectives);
    let reads = 0;
    perspectives.readProgress = async (tables: TablesRef) => {
      if (++reads > 50) throw new Error('It starts again without an end.');
      const progress = await readProgress(tables);
      const { segment } = asTables(tables);
      if (segments === null) return segment === undefined ? progress : { ...progress, sequence: behindEverything };
      return segment === undefined ? { ...progress, segments: [progress, progress] } : progress;
    };
  });
  const keysOf = ({ models }: PerspectiveCommit): string[] => models.map(({ key }) => key).toSorted();
  const isFirst = (key: string): boolean => isOfSegment(key, { index: 0, of: 2 });

  it('is rebuilt in each segment with models of it', async () => {
    expect(await rebuilt(ofKey)).toMatchObject({ replayed: 8 });
    const all = Array.from({ length: 8 }, (_, i) => `key ${i}`);
    expect(commits.map(keysOf)).toEqual([all.filter(isFirst), all.filter((key) => !isFirst(key))]);
    expect(commits.map(({ tables }) => tables!.segment)).toEqual([
      { index: 0, of: 2 },
      { index: 1, of: 2 },
    ]);
  });

  it('commits nothing to segments without models of it', async () => {
    const other = newId();
    append('x', { key: 'key 0', streamId: other });
    segments = null;
    await process(ofKey);
    segments = 2;
    commits.length = 0;
    await rebuilt(ofKey, other);
    expect(commits.map(keysOf)).toEqual([['key 0']]);
  });

  it('is rebuilt as a whole if the perspective was made whole during it', async () => {
    beforeCommit = () => {
      segments = null;
      throw new PerspectiveMovedError('Notes', 0, 1);
    };
    expect(await rebuilt(ofKey)).toMatchObject({ replayed: 8 });
    expect(commits.map(({ tables }) => tables!.segment)).toEqual([undefined]);
  });
});
