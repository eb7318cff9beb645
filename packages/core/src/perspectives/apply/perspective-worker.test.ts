import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../messages/index.js';
import type { Uuid } from '../../json/index.js';
import {
  asTables,
  behindEverything,
  PerspectiveMovedError,
  type PendingRecord,
  type Progress,
  type TablesRef,
} from '../../storage/index.js';
import { appendNote, notesOf as notesIn, notesPerspective } from '../testing/trial-notes.js';
import { TrialHost, wake } from '../testing/trial-host.js';
import { pageSize, roundMs } from './perspective-round.js';
import { nearby } from './place-groups.js';

/** The notes that a perspective has applied to a stream, in their order. It fails at some of them. */
const notes = (name: string, failing?: ReadonlySet<string>) => notesPerspective({ name, failing, separator: ' ' });

const stream = newId();
let host: TrialHost;

beforeEach(() => void (host = new TrialHost()));
afterEach(async () => {
  vi.restoreAllMocks();
  await host.stop();
});

const append = (note: string, fields?: Partial<PendingRecord>): Uuid =>
  appendNote(host.storage, note, { streamId: stream, ...fields }).id;
const notesOf = (name: string, streamId = stream): Promise<string | undefined> =>
  notesIn(host.storage.perspectives, name, streamId);

describe('perspectives at the same place', () => {
  it('process all events of their types, and report their progress once it is committed', async () => {
    for (const note of ['a', 'b']) append(note);
    append('x', { type: 'test.Other' });
    await host.runAll([notes('A'), notes('B')]);
    expect([await notesOf('A'), await notesOf('B')]).toEqual(['a b', 'a b']);
    expect(host.reached.toSorted()).toEqual(['A at 2', 'B at 2']);
    expect(new Set(host.progressed)).toEqual(new Set(['A', 'B']));
    expect([host.errors, host.emitted, host.queued]).toEqual([[], [], 0]);
  });

  it('read each page of the log once for all of them', async () => {
    append('a');
    const read = vi.spyOn(host.storage, 'readAll');
    await host.runAll([notes('A'), notes('B')]);
    expect(read.mock.calls.map(([after]) => after)).toEqual([-1]);
  });

  it('continue with the models in memory in the next round', async () => {
    append('a');
    host.own = [{ perspective: 'A' }];
    const made = host.worker([notes('A')]);
    await wake(made);
    const read = vi.spyOn(host.storage.perspectives, 'readModels');
    append('b');
    await wake(made);
    expect(read).not.toHaveBeenCalled();
    expect(await notesOf('A')).toBe('a b');
    // It forgets those that it no longer processes.
    host.own = [];
    append('c');
    await wake(made);
    expect(await notesOf('A')).toBe('a b');
    host.own = [{ perspective: 'A' }];
    read.mockClear();
    await wake(made);
    expect(read).toHaveBeenCalled();
    expect(await notesOf('A')).toBe('a b c');
  });

  it('that are not of this host, or whose models belong to another version, are left alone', async () => {
    append('a');
    await host.runAll([]);
    expect(host.commits).toEqual([]);
    const { perspectives } = host.storage;
    const readProgress = perspectives.readProgress.bind(perspectives);
    perspectives.readProgress = async (tables: TablesRef) => ({
      ...(await readProgress(tables)),
      ...(tables !== 'B' && { sequence: behindEverything }),
    });
    await host.runAll([notes('A')]);
    perspectives.readProgress = async (tables: TablesRef): Promise<Progress> => {
      const progress = await readProgress(tables);
      return { ...progress, segments: [progress] };
    };
    await host.runAll([notes('A')]);
    expect(host.commits).toEqual([]);
  });

  it('commit to the tables that their progress was read from', async () => {
    append('a');
    const tables = { perspective: 'A', role: 'retained', name: 'A.old' } as const;
    const { perspectives } = host.storage;
    const readProgress = perspectives.readProgress.bind(perspectives);
    perspectives.readProgress = async () => ({ ...(await readProgress(tables)), tables });
    await host.runAll([notes('A')]);
    expect(host.commits.map((commit) => commit.tables)).toEqual([tables]);
  });
});

describe('perspectives at different places', () => {
  it('are processed up to the place of the next one', async () => {
    for (const note of ['a', 'b', 'c', 'd']) append(note);
    await host.moveTo('B', 1);
    await host.moveTo('C', 2);
    await host.runAll([notes('A'), notes('B'), notes('C')]);
    expect(host.commitsOf('A').slice(0, 2)).toEqual([1, 2]);
    expect(host.commitsOf('B')[0]).toBe(2);
    expect(host.commitsOf('C')[0]).toBe(3);
    expect([await notesOf('A'), await notesOf('B'), await notesOf('C')]).toEqual(['a b c d', 'c d', 'd']);
  });

  it('that are near each other become one group', async () => {
    for (let i = 0; i < nearby; i++) append('n', { type: 'test.Other' });
    await host.moveTo('B', nearby - 1);
    append('a');
    const read = vi.spyOn(host.storage, 'readAll');
    await host.runAll([notes('A'), notes('B')]);
    expect([await notesOf('A'), await notesOf('B')]).toEqual(['a', 'a']);
    // Up to the place of the other one, then together.
    expect(read.mock.calls.map(([after]) => after)).toEqual([-1, nearby - 1]);
  });

  it('do not wait for one that is near them and cannot be stored', async () => {
    append('a');
    append('b');
    await host.moveTo('B', 0);
    host.beforeCommit = ({ perspective }) => {
      if (perspective === 'A') throw new Error('The disk is full.');
    };
    const worker = host.worker([notes('A'), notes('B')]);
    host.own = [{ perspective: 'A' }, { perspective: 'B' }];
    worker.wake();
    await expect.poll(() => notesOf('B')).toBe('b');
    expect(host.errors).not.toEqual([]);
  });

  it('follow while one that is far behind catches up', async () => {
    for (let i = 0; i <= 2 * nearby; i++) append('n', { type: 'test.Other' });
    await host.moveTo('B', 2 * nearby);
    // The other one reads page after page until it has seen the note of this one.
    let isNoted = false;
    const { readStopped } = host.storage.perspectives;
    vi.spyOn(host.storage.perspectives, 'readStopped').mockImplementation(async (tables) => {
      if (asTables(tables).name === 'A' && !isNoted) {
        append('late');
        await expect.poll(() => notesOf('B')).toBe('late');
        isNoted = true;
      }
      return await readStopped.call(host.storage.perspectives, tables);
    });
    await host.runAll([notes('A'), notes('B')]);
    expect(isNoted).toBe(true);
    expect([await notesOf('A'), await notesOf('B')]).toEqual(['late', 'late']);
    expect(host.rounds).toBeLessThan(6);
  });

  it('are behind after a round that had no time for the rest', async () => {
    for (let i = 0; i <= pageSize; i++) append('n', { type: 'test.Other' });
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(host.storage.perspectives, 'readStopped').mockImplementation(() => {
      now += roundMs - 1;
      return Promise.resolve([]);
    });
    await host.runAll([notes('A')]);
    expect(new Set(host.progressed)).toEqual(new Set(['A']));
    host.progressed.length = 0;
    vi.mocked(host.storage.perspectives.readStopped).mockImplementation(() => {
      now += roundMs;
      return Promise.resolve([]);
    });
    await host.runAll([notes('B')]);
    expect(host.progressed[0]).toBe('B is behind');
    expect(host.progressed.at(-1)).toBe('B');
    expect(host.commitsOf('B')).toEqual([pageSize - 1, pageSize]);
  });
});

describe('a perspective that loses its lease', () => {
  it('commits the page that it has processed, and no more', async () => {
    for (let i = 0; i <= pageSize; i++) append(`${i}`, { streamId: newId() });
    host.holds = ({ perspective }) => {
      if (perspective === 'B') host.own = [];
      return perspective !== 'B';
    };
    await host.runAll([notes('A'), notes('B')]);
    expect([host.commitsOf('A'), host.commitsOf('B')]).toEqual([[pageSize - 1], [pageSize - 1]]);
  });
});

describe('a perspective that fails', () => {
  it('at an event stops its stream, emits PerspectiveFailed, and processes all others', async () => {
    const other = newId();
    append('a');
    const failed = append('bad');
    append('b');
    append('c', { streamId: other });
    await host.runAll([notes('A', new Set(['bad'])), notes('B')]);
    expect([await notesOf('A'), await notesOf('A', other), await notesOf('B')]).toEqual(['a', 'c', 'a bad b']);
    expect(host.emitted).toMatchObject([{ perspectiveName: 'A', messageId: failed, attempt: 1 }]);
    expect(await host.storage.perspectives.readStopped('A')).toMatchObject([
      { streamId: stream, eventId: failed, position: 1, errorMessage: 'cannot apply bad', attempts: 1 },
    ]);
    expect(host.errors).toEqual([]);
    // Batches after it are committed together again, and the stream stays stopped.
    host.commits.length = 0;
    append('d');
    append('e', { streamId: other });
    await host.runAll([notes('A')]);
    expect([await notesOf('A'), await notesOf('A', other)]).toEqual(['a', 'c e']);
    expect(host.emitted).toHaveLength(1);
  });

  it('at a commit is reported and retried, and the others continue', async () => {
    append('a');
    let failures = 0;
    host.beforeCommit = ({ perspective }) => {
      if (perspective !== 'C' && failures++ < 2) throw new Error(`${perspective} is away`);
    };
    await host.runAll([notes('A'), notes('B'), notes('C')]);
    expect(host.errors.map((error) => (error as Error).message).toSorted()).toEqual(['A is away', 'B is away']);
    expect([await notesOf('A'), await notesOf('B'), await notesOf('C')]).toEqual(['a', 'a', 'a']);
    expect(host.commitsOf('C')).toHaveLength(1);
  });

  it('because another host was faster continues from the progress of that host, without a report', async () => {
    append('a');
    append('b');
    let isFirst = true;
    host.beforeCommit = ({ perspective, from, to }) => {
      if (!isFirst) return;
      isFirst = false;
      throw new PerspectiveMovedError(perspective, from.sequence, to);
    };
    await host.runAll([notes('A')]);
    expect(await notesOf('A')).toBe('a b');
    expect(host.errors).toEqual([]);
  });

  it('to read its progress is reported, and nothing is processed before all have read theirs', async () => {
    append('a');
    const { perspectives } = host.storage;
    const readProgress = perspectives.readProgress.bind(perspectives);
    let isFirst = true;
    perspectives.readProgress = async (tables) => {
      const { perspective } = tables as { perspective: string };
      if (perspective === 'A' && isFirst) {
        isFirst = false;
        throw new Error('away');
      }
      return await readProgress(tables);
    };
    await host.runAll([notes('A'), notes('B')]);
    expect(host.errors).toEqual([new Error('away')]);
    expect([await notesOf('A'), await notesOf('B')]).toEqual(['a', 'a']);
  });
});
