import { beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../messages/index.js';
import type { Uuid } from '../../json/index.js';
import {
  behindEverything,
  EventLog,
  InMemoryStorage,
  isOfSegment,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type Segment,
} from '../../storage/index.js';
import { trialMessages } from '../testing/trial-messages.js';
import { appendNote, notesPerspective } from '../testing/trial-notes.js';
import { turn } from '../testing/turns.js';
import { FollowedPerspective, mostCharacters } from './followed-perspective.js';
import { ModelsLostError } from './model-buffer.js';
import type { Batch, PlannedBatch } from './process-batch.js';

const failing = new Set<string>();
const named = notesPerspective({ failing });

let storage: InMemoryStorage;
let log: EventLog;
let reached: number[];

beforeEach(() => {
  storage = new InMemoryStorage();
  log = new EventLog(storage, trialMessages);
  failing.clear();
  reached = [];
});

const follow = (segment?: Segment): FollowedPerspective =>
  new FollowedPerspective(
    named,
    { perspective: 'Notes', ...(segment !== undefined && { segment }) },
    { log, storage: storage.perspectives },
    ({ sequence }) => void reached.push(sequence),
  );

const append = (note: string, streamId = newId()): Uuid => appendNote(storage, note, { streamId }).streamId;

/** The record at a place in the log. */
async function batchAt(sequence: number): Promise<Batch> {
  for await (const record of log.readRecords(sequence - 1)) return { records: [record], upTo: record };
  throw new Error('There is no such record.');
}

const isCareful = ({ work }: PlannedBatch): boolean => 'stored' in work;

async function process(followed: FollowedPerspective, sequence: number): Promise<PlannedBatch> {
  const plan = await followed.plan(await batchAt(sequence));
  await followed.commit(plan, followed.process(plan));
  return plan;
}

/** Lets the next commit wait until it is released. */
function holdNextCommit(): { release(): void } {
  const { perspectives } = storage;
  const commit = perspectives.commitPerspective.bind(perspectives);
  const held = { release: (): void => {} };
  const waiting = async (batch: PerspectiveCommit): Promise<void> => {
    Object.assign(perspectives, { commitPerspective: commit });
    await new Promise<void>((resolve) => (held.release = resolve));
    commit(batch);
  };
  Object.assign<PerspectiveStorage, Partial<PerspectiveStorage>>(perspectives, { commitPerspective: waiting });
  return held;
}

describe('a perspective that follows the log', () => {
  it('takes part in a round once it has read its progress', async () => {
    append('a');
    const followed = follow();
    expect([followed.isActive, followed.committed, followed.name]).toEqual([false, -1, 'Notes']);
    await followed.start();
    expect([followed.isActive, followed.sequence]).toEqual([true, -1]);
    await process(followed, 0);
    await followed.buffer.settle();
    expect([followed.sequence, followed.committed, reached]).toEqual([0, 0, [0]]);
    const next = follow();
    await next.start();
    expect([next.sequence, next.committed]).toEqual([0, 0]);
  });

  it.each([
    ['its models belong to another version', { sequence: behindEverything, revision: 1 }],
    ['it was divided', { sequence: 4, revision: 1, segments: [{ sequence: 4, revision: 1 }] }],
  ])('takes no part while %s', async (_name, progress) => {
    const followed = follow();
    await followed.start();
    expect(followed.isActive).toBe(true);
    vi.spyOn(storage.perspectives, 'readProgress').mockResolvedValue(progress);
    await followed.start();
    expect([followed.isActive, followed.committed]).toEqual([false, progress.sequence]);
  });

  it('reads the progress of its tables, and of its segment if it has one', async () => {
    const read = vi.spyOn(storage.perspectives, 'readProgress');
    await follow().start();
    await follow({ index: 1, of: 2 }).start();
    const tables = { perspective: 'Notes', role: 'serving', name: 'Notes' };
    expect(read.mock.calls).toStrictEqual([[tables], [{ ...tables, segment: { index: 1, of: 2 } }]]);
  });

  it('waits for a commit under way before it reads its progress again', async () => {
    append('a');
    const followed = follow();
    await followed.start();
    const held = holdNextCommit();
    await process(followed, 0);
    let isStarted = false;
    const starting = followed.start().then(() => (isStarted = true));
    await turn();
    expect(isStarted).toBe(false);
    held.release();
    await starting;
    expect([followed.committed, followed.sequence]).toEqual([0, 0]);
  });

  it('has less memory for the models of a segment', async () => {
    const of = 32;
    const segment = { index: 0, of };
    const streams: Uuid[] = [];
    while (streams.length < 4) {
      const streamId = newId();
      if (isOfSegment(streamId, segment)) streams.push(streamId);
    }
    const large = 'x'.repeat(mostCharacters / of / 2);
    const readsOf = async (followed: FollowedPerspective): Promise<number> => {
      const read = vi.spyOn(storage.perspectives, 'readModels');
      read.mockClear();
      await followed.start();
      for (let i = followed.sequence + 1; i < 8; i++) {
        await process(followed, i);
        await followed.buffer.flush();
      }
      return read.mock.calls.length;
    };
    for (let round = 0; round < 2; round++) for (const streamId of streams) append(large, streamId);
    expect(await readsOf(follow())).toBe(0);
    storage.perspectives.clearPerspective('Notes');
    expect(await readsOf(follow(segment))).toBeGreaterThan(0);
  });
});

describe('the commit of a batch', () => {
  it('does not wait for the database, unless the batch had a failure', async () => {
    append('a');
    append('bad');
    append('b');
    failing.add('bad');
    const followed = follow();
    await followed.start();
    let held = holdNextCommit();
    await process(followed, 0);
    held.release();
    const batch = await batchAt(1);
    const plan = await followed.planCarefully(batch);
    held = holdNextCommit();
    const advance = followed.process(plan);
    expect(advance.failures).toHaveLength(1);
    let isCommitted = false;
    const committing = followed.commit(plan, advance).then(() => (isCommitted = true));
    await turn();
    expect(isCommitted).toBe(false);
    held.release();
    await committing;
    expect(followed.committed).toBe(1);
  });

  it('waits for the database in a part of the log that is applied carefully', async () => {
    for (const note of ['a', 'b', 'c']) append(note);
    const followed = follow();
    await followed.start();
    followed.leave(new ModelsLostError(), { sequence: 1 });
    await followed.start();
    for (const sequence of [0, 1]) {
      expect(isCareful(await process(followed, sequence))).toBe(true);
      expect(followed.committed).toBe(sequence);
    }
    const held = holdNextCommit();
    expect(isCareful(await process(followed, 2))).toBe(false);
    expect(followed.committed).toBe(1);
    held.release();
    await followed.buffer.settle();
    expect(followed.committed).toBe(2);
  });
});

describe('a perspective that leaves its round', () => {
  it('applies the lost batch carefully in the next one', async () => {
    for (const note of ['a', 'b']) append(note);
    const followed = follow();
    await followed.start();
    followed.leave(new ModelsLostError(), { sequence: 0 });
    expect(followed.isActive).toBe(false);
    await followed.start();
    expect(followed.isActive).toBe(true);
    expect(isCareful(await process(followed, 0))).toBe(true);
    expect(isCareful(await process(followed, 1))).toBe(false);
  });

  it('applies everything up to its place carefully if its models are lost between two batches', async () => {
    const streamId = append('a');
    append('b');
    const followed = follow();
    await followed.start();
    const plan = await followed.plan(await batchAt(0));
    followed.process(plan);
    followed.leave(new ModelsLostError(), null);
    await followed.start();
    expect(isCareful(await process(followed, 0))).toBe(true);
    expect(isCareful(await process(followed, 1))).toBe(false);
    await followed.buffer.flush();
    expect(await storage.perspectives.readModels('Notes', [streamId])).toMatchObject([{ body: '{"notes":"a"}' }]);
  });

  it('because of another error continues as before', async () => {
    append('a');
    const followed = follow();
    await followed.start();
    followed.leave(new Error('away'), { sequence: 0 });
    expect(followed.isActive).toBe(false);
    await followed.start();
    expect(isCareful(await process(followed, 0))).toBe(false);
  });

  it('plans a batch carefully for another host without changing anything', async () => {
    const streamId = append('a');
    append('b', streamId);
    const followed = follow();
    await followed.start();
    await process(followed, 0);
    await followed.buffer.flush();
    const plan = await followed.planCarefully(await batchAt(1));
    expect(isCareful(plan)).toBe(true);
    expect([followed.sequence, followed.buffer.hasPending]).toEqual([0, false]);
    expect(await storage.perspectives.readModels('Notes', [streamId])).toMatchObject([{ body: '{"notes":"a"}' }]);
  });
});
