import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import {
  asTables,
  behindEverything,
  isOfSegment,
  type PendingRecord,
  type PerspectiveCommit,
  type Progress,
  type StoredRecord,
} from '../../storage/index.js';
import { receivedAfter } from '../testing/trial-events.js';
import { appendNote, notesOf as notesIn, notesPerspective } from '../testing/trial-notes.js';
import { eventAsOutgoing as outgoingOf, TrialHost, wake } from '../testing/trial-host.js';
import { pageSize, roundMs } from './perspective-round.js';

/** The notes that a perspective has applied to a stream, in their order. */
const notes = (name: string) => notesPerspective({ name });

const stream = newId();
let host: TrialHost;

beforeEach(() => void (host = new TrialHost()));
afterEach(async () => {
  vi.restoreAllMocks();
  await host.stop();
});

const append = (note: string, fields?: Partial<PendingRecord>): Uuid =>
  appendNote(host.storage, note, { streamId: stream, ...fields }).id;
const notesOf = (name: string): Promise<string | undefined> => notesIn(host.storage.perspectives, name, stream);

/** Appends `a` and `c`, and later the `b` between them, which comes from another database. */
function appendLate(): { late(): void } {
  const [first, late, last] = [newId(), newId(), newId()];
  append('a', { id: first });
  append('c', { id: last });
  return { late: () => void append('b', { id: late, metadata: receivedAfter(last) }) };
}

const eventsOf = ({ outgoing = [] }: PerspectiveCommit): string[] => outgoing.map((one) => one.constructor.name);

describe('a host without perspectives', () => {
  it('reads nothing', async () => {
    append('a');
    host.others = [{ perspective: 'A' }];
    const reads = [
      vi.spyOn(host.storage.perspectives, 'readRewinds'),
      vi.spyOn(host.storage.perspectives, 'readProgress'),
    ];
    await host.run([notes('A')], { outgoingOf });
    for (const read of reads) expect(read).not.toHaveBeenCalled();
    expect(host.rounds).toBe(1);
  });
});

describe('a round', () => {
  it('reads the pages of the log one after another, without starting again after each', async () => {
    for (let i = 0; i <= pageSize; i++) append('', { streamId: newId() });
    const read = vi.spyOn(host.storage, 'readAll');
    host.own = [{ perspective: 'A' }];
    await host.run([notes('A')]);
    // The second time because events may have been appended during the first one.
    expect(read.mock.calls.map(([after]) => after)).toEqual([-1, pageSize]);
    expect(host.asked).toEqual(['A', 'A']);
    expect(host.rounds).toBe(1);
  });

  it('is behind if each read of the log has several pages until the time is over', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const { readAll } = host.storage;
    // As PostgreSQL, which reads what was committed before the read began.
    host.storage.readAll = async function* (after) {
      const events = now < 2 * roundMs ? pageSize + 1 : 0;
      for (let i = 0; i < events; i++) append('n', { type: 'test.Other' });
      const all: StoredRecord[] = [];
      for await (const record of readAll.call(host.storage, after)) all.push(record);
      yield* all;
      now += roundMs / 2;
    };
    await host.runAll([notes('A')]);
    expect(host.progressed[0]).toBe('A is behind');
    expect(host.progressed.at(-1)).toBe('A');
  });

  it('looks again for events that were appended since it has read the log', async () => {
    append('a');
    host.own = [{ perspective: 'A' }];
    const worker = host.worker([notes('A')]);
    host.beforeCommit = ({ to }) => {
      if (to > 0) return;
      append('b');
      worker.wake();
    };
    const read = vi.spyOn(host.storage, 'readAll');
    await wake(worker);
    expect(read.mock.calls.map(([after]) => after)).toEqual([-1, 0]);
    expect(host.rounds).toBe(1);
    expect(host.commitsOf('A')).toEqual([0, 1]);
  });

  it('asks for the leases of all perspectives that share a page', async () => {
    append('a');
    host.own = [{ perspective: 'A' }, { perspective: 'B' }];
    await host.run([notes('A'), notes('B')]);
    expect(host.asked).toEqual(['A', 'B']);
    expect([await notesOf('A'), await notesOf('B')]).toEqual(['a', 'a']);
  });

  it('reads no further page once all of its perspectives have failed', async () => {
    for (let i = 0; i <= pageSize; i++) append('', { streamId: newId() });
    host.own = [{ perspective: 'A' }];
    vi.spyOn(host.storage.perspectives, 'readStopped').mockRejectedValueOnce(new Error('away'));
    const askedAtError: number[] = [];
    await host.run([notes('A')], {
      report: (error) => {
        host.errors.push(error);
        askedAtError.push(host.asked.length);
      },
    });
    expect(host.errors).toEqual([new Error('away')]);
    expect(askedAtError).toEqual([0]);
    expect(await host.storage.perspectives.readProgress('A')).toMatchObject({ sequence: pageSize });
  });

  it('reports the progress of a perspective that has failed as well', async () => {
    append('a');
    host.own = [{ perspective: 'A' }, { perspective: 'B' }];
    vi.spyOn(host.storage.perspectives, 'readStopped').mockRejectedValueOnce(new Error('away'));
    await host.run([notes('A'), notes('B')]);
    expect(host.progressed.slice(0, 2)).toEqual(['A', 'B']);
    expect([await notesOf('A'), await notesOf('B')]).toEqual(['a', 'a']);
  });

  it('without late events stores no rewinds, although rewind events are enabled', async () => {
    append('a');
    host.own = [{ perspective: 'A' }];
    await host.run([notes('A'), notes('B')], { outgoingOf });
    expect(host.commits.map(({ rewinds, models }) => [rewinds, models.length])).toEqual([[undefined, 1]]);
    expect(host.queued).toBe(0);
  });
});

describe('late events', () => {
  it('without rewind events are not planned for the perspectives of other hosts', async () => {
    const { late } = appendLate();
    host.own = [{ perspective: 'A' }];
    await host.run([notes('A'), notes('B')]);
    late();
    host.others = [{ perspective: 'B' }];
    const read = vi.spyOn(host.storage.perspectives, 'readProgress');
    await host.run([notes('A'), notes('B')]);
    expect(read.mock.calls.map(([tables]) => asTables(tables).perspective)).not.toContain('B');
    expect(await notesOf('A')).toBe('abc');
  });

  it('are completed by the last segment in its own commit', async () => {
    const { late } = appendLate();
    host.own = [{ perspective: 'A' }];
    await host.run([notes('A')]);
    late();
    host.commits.length = 0;
    const { perspectives } = host.storage;
    const readProgress = perspectives.readProgress.bind(perspectives);
    const index = isOfSegment(stream, { index: 0, of: 2 }) ? 0 : 1;
    // The other segment has processed the event already, and has no model that it belongs to.
    perspectives.readProgress = async (tables): Promise<Progress> => {
      const progress = await readProgress(tables);
      if (tables !== 'A') return progress;
      const ahead = { ...progress, sequence: 2 };
      return { ...progress, segments: index === 0 ? [progress, ahead] : [ahead, progress] };
    };
    host.own = [{ perspective: 'A', segment: { index, of: 2 } }];
    await host.run([notes('A')], { outgoingOf });
    expect(host.commits.map((commit) => [commit.models.length, ...eventsOf(commit)])).toEqual([
      [0, 'StreamRewindStarted', 'PerspectiveRewindStarted'],
      [1, 'PerspectiveRewindCompleted', 'StreamRewindCompleted'],
    ]);
    expect(await notesOf('A')).toBe('abc');
    expect(host.queued).toBe(2);
  });

  it('do not wait for a perspective whose models belong to another version', async () => {
    const { late } = appendLate();
    host.own = [{ perspective: 'A' }];
    await host.run([notes('A')]);
    late();
    host.commits.length = 0;
    const { perspectives } = host.storage;
    const readProgress = perspectives.readProgress.bind(perspectives);
    perspectives.readProgress = async (tables): Promise<Progress> => {
      const progress = await readProgress(tables);
      return asTables(tables).perspective === 'B' ? { ...progress, sequence: behindEverything } : progress;
    };
    await host.run([notes('A'), notes('B')], { outgoingOf });
    expect(host.commits.flatMap(eventsOf).at(-1)).toBe('StreamRewindCompleted');
  });

  it('that are not completed yet wait for a perspective that is at an earlier place', async () => {
    const { late } = appendLate();
    host.own = [{ perspective: 'A' }];
    await host.run([notes('A'), notes('B')]);
    late();
    host.commits.length = 0;
    host.others = [{ perspective: 'B' }];
    await host.run([notes('A'), notes('B')], { outgoingOf });
    expect(host.commits.map(eventsOf)).toEqual([
      ['StreamRewindStarted', 'PerspectiveRewindStarted'],
      ['PerspectiveRewindCompleted'],
    ]);
    expect(await host.storage.perspectives.readRewinds('lane')).toMatchObject([{ streamId: stream, begun: [] }]);
    // The perspective processes the events from the start, so none of them is late for it.
    [host.own, host.others] = [[{ perspective: 'B' }], [{ perspective: 'A' }]];
    host.commits.length = 0;
    await host.run([notes('A'), notes('B')], { outgoingOf });
    expect(host.commits.flatMap(eventsOf)).toEqual(['StreamRewindCompleted']);
    expect(await notesOf('B')).toBe('abc');
  });
});
