import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BackgroundWorker } from '../../background/index.js';
import type { Uuid } from '../../json/index.js';
import {
  latestIdKey,
  MessageRegistry,
  newId,
  originKey,
  type Event,
  type MessageClass,
  type MessageDescriptor,
} from '../../messages/index.js';
import { ScopeFilters } from '../../security/index.js';
import {
  asTables,
  behindEverything,
  EventLog,
  InMemoryStorage,
  isOfSegment,
  type OutgoingRecord,
  type PendingRecord,
  type PerspectiveCommit,
  type Progress,
} from '../../storage/index.js';
import { NoOpSystemEventEmitter } from '../../system-events/index.js';
import { ModelOwners } from '../model-owner.js';
import type { NamedPerspective } from '../perspective.js';
import { nameOfWork, type PerspectiveWork } from './perspective-work.js';
import { pageSize, perspectiveWorker, type PerspectiveWorkerParts } from './perspective-worker.js';

class Noted {
  note = '';
}

const message = (messageClass: MessageClass): MessageDescriptor => ({
  type: `test.${messageClass.name}`,
  kind: 'event',
  class: messageClass,
  read: (value) => Object.assign(new messageClass(), value),
  write: JSON.stringify,
});
const messages = new MessageRegistry([Noted].map(message));

/** The notes that a perspective has applied to a stream, in their order. */
const notes = (name: string): NamedPerspective => ({
  name,
  perspective: {
    apply: (model: { notes: string } | null, { note }: Noted) => ({ notes: `${model?.notes ?? ''}${note}` }),
  },
  events: [Noted],
  columns: [],
  owners: new ModelOwners(ScopeFilters.None),
  readModel: (value) => value as object,
  writeModel: JSON.stringify,
});

const stream = newId();
let storage: InMemoryStorage;
let commits: PerspectiveCommit[];
let own: PerspectiveWork[];
let others: PerspectiveWork[];
let asked: string[];
let progressed: string[];
let errors: unknown[];
let queued: number;
let workers: BackgroundWorker[];
let rounds: number;
/** More than any test needs: a worker that never ends fails a test instead of blocking it. */
const mostRounds = 30;

beforeEach(() => {
  storage = new InMemoryStorage();
  [commits, own, others, asked, progressed, errors, workers] = [[], [], [], [], [], [], []];
  queued = 0;
  rounds = 0;
  const { perspectives } = storage;
  const commit = perspectives.commitPerspective.bind(perspectives);
  perspectives.commitPerspective = (batch) => {
    commit(batch);
    commits.push(batch);
  };
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(workers.map((one) => one.stop()));
  if (rounds >= mostRounds) throw new Error('It works without an end.');
});

function append(note: string, fields: Partial<PendingRecord> = {}): Uuid {
  const id = newId();
  const event: PendingRecord = {
    id,
    type: 'test.Noted',
    streamId: stream,
    body: JSON.stringify({ note }),
    timestamp: 0,
    correlationId: id,
    causationId: null,
    scope: null,
    metadata: {},
    expectedPosition: undefined,
    ...fields,
  };
  storage.commit({ events: [event], outgoing: [], delivered: null, received: [] });
  return event.id;
}

/** Appends `a` and `c`, and later the `b` between them, which comes from another database. */
function appendLate(): { late(): void } {
  const [first, late, last] = [newId(), newId(), newId()];
  append('a', { id: first });
  append('c', { id: last });
  return { late: () => void append('b', { id: late, metadata: { [originKey]: null, [latestIdKey]: last } }) };
}

/** Events instead of their messages. */
const outgoingOf = (event: Event): OutgoingRecord =>
  Object.assign(event, { id: newId(), lane: 'system', eventId: null, message: null }) as unknown as OutgoingRecord;
const eventsOf = ({ outgoing = [] }: PerspectiveCommit): string[] => outgoing.map((one) => one.constructor.name);

async function run(perspectives: readonly NamedPerspective[], parts: Partial<PerspectiveWorkerParts> = {}) {
  const worker = perspectiveWorker(perspectives, {
    log: new EventLog(storage, messages),
    storage: storage.perspectives,
    emitter: new NoOpSystemEventEmitter(),
    outgoingOf: null,
    queued: () => void queued++,
    reached: () => {},
    lane: 'lane',
    share: {
      take: () => Promise.resolve(++rounds < mostRounds ? { own, others } : { own: [], others: [] }),
      holds: (work) => Promise.resolve(asked.push(nameOfWork(work)) > 0),
      progressed: (work) => void progressed.push(nameOfWork(work)),
    },
    report: (error) => void errors.push(error),
    ...parts,
  });
  workers.push(worker);
  worker.wake();
  await worker.idle();
}

async function notesOf(name: string): Promise<string | undefined> {
  const [model] = await storage.perspectives.readModels(name, [stream]);
  return (JSON.parse(model?.body ?? '{}') as { notes?: string }).notes;
}

describe('a host without perspectives', () => {
  it('reads nothing', async () => {
    append('a');
    others = [{ perspective: 'A' }];
    const reads = [vi.spyOn(storage.perspectives, 'readRewinds'), vi.spyOn(storage.perspectives, 'readProgress')];
    await run([notes('A')], { outgoingOf });
    for (const read of reads) expect(read).not.toHaveBeenCalled();
    expect(rounds).toBe(1);
  });
});

describe('a round', () => {
  it('reads the pages of the log one after another, without starting again after each', async () => {
    for (let i = 0; i <= pageSize; i++) append('', { streamId: newId() });
    const read = vi.spyOn(storage, 'readAll');
    own = [{ perspective: 'A' }];
    await run([notes('A')]);
    // Once for both pages, once to find that there is no more, and once in the next round.
    expect(read.mock.calls.map(([after]) => after)).toEqual([-1, pageSize, pageSize]);
    expect(asked).toEqual(['A', 'A']);
  });

  it('asks for the leases of all perspectives that share a page', async () => {
    append('a');
    own = [{ perspective: 'A' }, { perspective: 'B' }];
    await run([notes('A'), notes('B')]);
    expect(asked).toEqual(['A', 'B']);
    expect([await notesOf('A'), await notesOf('B')]).toEqual(['a', 'a']);
  });

  it('reads no further page once all of its perspectives have failed', async () => {
    for (let i = 0; i <= pageSize; i++) append('', { streamId: newId() });
    own = [{ perspective: 'A' }];
    vi.spyOn(storage.perspectives, 'readStopped').mockRejectedValueOnce(new Error('away'));
    const askedAtError: number[] = [];
    await run([notes('A')], {
      report: (error) => {
        errors.push(error);
        askedAtError.push(asked.length);
      },
    });
    expect(errors).toEqual([new Error('away')]);
    expect(askedAtError).toEqual([0]);
    expect(await storage.perspectives.readProgress('A')).toMatchObject({ sequence: pageSize });
  });

  it('reports the progress of a perspective that has failed as well', async () => {
    append('a');
    own = [{ perspective: 'A' }, { perspective: 'B' }];
    vi.spyOn(storage.perspectives, 'readStopped').mockRejectedValueOnce(new Error('away'));
    await run([notes('A'), notes('B')]);
    expect(progressed.slice(0, 2)).toEqual(['A', 'B']);
    expect([await notesOf('A'), await notesOf('B')]).toEqual(['a', 'a']);
  });

  it('without late events stores no rewinds, although rewind events are enabled', async () => {
    append('a');
    own = [{ perspective: 'A' }];
    await run([notes('A'), notes('B')], { outgoingOf });
    expect(commits.map(({ rewinds, models }) => [rewinds, models.length])).toEqual([[undefined, 1]]);
    expect(queued).toBe(0);
  });
});

describe('late events', () => {
  it('without rewind events are not planned for the perspectives of other hosts', async () => {
    const { late } = appendLate();
    own = [{ perspective: 'A' }];
    await run([notes('A'), notes('B')]);
    late();
    others = [{ perspective: 'B' }];
    const read = vi.spyOn(storage.perspectives, 'readProgress');
    await run([notes('A'), notes('B')]);
    expect(read.mock.calls.map(([tables]) => asTables(tables).perspective)).not.toContain('B');
    expect(await notesOf('A')).toBe('abc');
  });

  it('are completed by the last segment in its own commit', async () => {
    const { late } = appendLate();
    own = [{ perspective: 'A' }];
    await run([notes('A')]);
    late();
    commits.length = 0;
    const { perspectives } = storage;
    const readProgress = perspectives.readProgress.bind(perspectives);
    const index = isOfSegment(stream, { index: 0, of: 2 }) ? 0 : 1;
    // The other segment has processed the event already, and has no model that it belongs to.
    perspectives.readProgress = async (tables): Promise<Progress> => {
      const progress = await readProgress(tables);
      if (tables !== 'A') return progress;
      const ahead = { ...progress, sequence: 2 };
      return { ...progress, segments: index === 0 ? [progress, ahead] : [ahead, progress] };
    };
    own = [{ perspective: 'A', segment: { index, of: 2 } }];
    await run([notes('A')], { outgoingOf });
    expect(commits.map((commit) => [commit.models.length, ...eventsOf(commit)])).toEqual([
      [0, 'StreamRewindStarted', 'PerspectiveRewindStarted'],
      [1, 'PerspectiveRewindCompleted', 'StreamRewindCompleted'],
    ]);
    expect(await notesOf('A')).toBe('abc');
    expect(queued).toBe(2);
  });

  it('do not wait for a perspective whose models belong to another version', async () => {
    const { late } = appendLate();
    own = [{ perspective: 'A' }];
    await run([notes('A')]);
    late();
    commits.length = 0;
    const { perspectives } = storage;
    const readProgress = perspectives.readProgress.bind(perspectives);
    perspectives.readProgress = async (tables): Promise<Progress> => {
      const progress = await readProgress(tables);
      return asTables(tables).perspective === 'B' ? { ...progress, sequence: behindEverything } : progress;
    };
    await run([notes('A'), notes('B')], { outgoingOf });
    expect(commits.flatMap(eventsOf).at(-1)).toBe('StreamRewindCompleted');
  });

  it('that are not completed yet wait for a perspective that is at an earlier place', async () => {
    const { late } = appendLate();
    own = [{ perspective: 'A' }];
    await run([notes('A'), notes('B')]);
    late();
    commits.length = 0;
    others = [{ perspective: 'B' }];
    await run([notes('A'), notes('B')], { outgoingOf });
    expect(commits.map(eventsOf)).toEqual([
      ['StreamRewindStarted', 'PerspectiveRewindStarted'],
      ['PerspectiveRewindCompleted'],
    ]);
    expect(await storage.perspectives.readRewinds('lane')).toMatchObject([{ streamId: stream, begun: [] }]);
    // The perspective processes the events from the start, so none of them is late for it.
    [own, others] = [[{ perspective: 'B' }], [{ perspective: 'A' }]];
    commits.length = 0;
    await run([notes('A'), notes('B')], { outgoingOf });
    expect(commits.flatMap(eventsOf)).toEqual(['StreamRewindCompleted']);
    expect(await notesOf('B')).toBe('abc');
  });
});
