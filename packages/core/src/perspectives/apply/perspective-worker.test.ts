import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BackgroundWorker } from '../../background/index.js';
import type { Uuid } from '../../json/index.js';
import { MessageRegistry, newId, type MessageClass, type MessageDescriptor } from '../../messages/index.js';
import { ScopeFilters } from '../../security/index.js';
import {
  behindEverything,
  EventLog,
  InMemoryStorage,
  PerspectiveMovedError,
  type LogPlace,
  type PendingRecord,
  type PerspectiveCommit,
  type Progress,
  type TablesRef,
} from '../../storage/index.js';
import type { SystemEventEmitter } from '../../system-events/index.js';
import { ModelOwners } from '../model-owner.js';
import type { NamedPerspective } from '../perspective.js';
import { nameOfWork, type PerspectiveWork } from './perspective-work.js';
import { pageSize, perspectiveWorker, roundMs, turnMs, type PerspectiveWorkerParts } from './perspective-worker.js';

class Noted {
  note = '';
}
class Other {}

const message = (messageClass: MessageClass): MessageDescriptor => ({
  type: `test.${messageClass.name}`,
  kind: 'event',
  class: messageClass,
  read: (value) => Object.assign(new messageClass(), value),
  write: JSON.stringify,
});
const messages = new MessageRegistry([Noted, Other].map(message));

/** The notes that a perspective has applied to a stream, in their order. It fails at some of them. */
function notes(name: string, failing: ReadonlySet<string> = new Set()): NamedPerspective {
  return {
    name,
    perspective: {
      apply: (model: { notes: string[] } | null, { note }: Noted) => {
        if (failing.has(note)) throw new Error(`cannot apply ${note}`);
        return { notes: [...(model?.notes ?? []), note] };
      },
    },
    events: [Noted],
    columns: [],
    owners: new ModelOwners(ScopeFilters.None),
    readModel: (value) => value as object,
    writeModel: JSON.stringify,
  };
}

const stream = newId();
let storage: InMemoryStorage;
let commits: PerspectiveCommit[];
/** Called before each commit. */
let beforeCommit: (commit: PerspectiveCommit) => void;
let emitted: object[];
let errors: unknown[];
let reached: string[];
let progressed: string[];
let own: PerspectiveWork[];
let others: PerspectiveWork[];
let holds: (work: PerspectiveWork) => boolean;
let workers: BackgroundWorker[];
let queued: number;
let rounds: number;
/** More than any test needs: a worker that never ends fails a test instead of blocking it. */
const mostRounds = 30;

beforeEach(() => {
  storage = new InMemoryStorage();
  [commits, emitted, errors, reached, progressed, workers] = [[], [], [], [], [], []];
  [own, others] = [[], []];
  holds = () => true;
  queued = 0;
  rounds = 0;
  let reads = 0;
  const readAll = storage.readAll.bind(storage);
  storage.readAll = (after) => {
    if (++reads > mostRounds) throw new Error('It reads the log without an end.');
    return readAll(after);
  };
  beforeCommit = () => {};
  const { perspectives } = storage;
  const commit = perspectives.commitPerspective.bind(perspectives);
  perspectives.commitPerspective = (batch) => {
    beforeCommit(batch);
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

function worker(
  perspectives: readonly NamedPerspective[],
  parts: Partial<PerspectiveWorkerParts> = {},
): BackgroundWorker {
  const emit = (event: object): Promise<void> => Promise.resolve(void emitted.push(event));
  const made = perspectiveWorker(perspectives, {
    log: new EventLog(storage, messages),
    storage: storage.perspectives,
    emitter: { emit } as unknown as SystemEventEmitter,
    outgoingOf: null,
    queued: () => void queued++,
    reached: (work, { sequence }: LogPlace) => void reached.push(`${nameOfWork(work)} at ${sequence}`),
    lane: 'lane',
    share: {
      take: () => Promise.resolve(++rounds < mostRounds ? { own, others } : { own: [], others: [] }),
      holds: (work) => Promise.resolve(holds(work)),
      progressed: (work, isBehind) => void progressed.push(`${nameOfWork(work)}${isBehind ? ' is behind' : ''}`),
    },
    report: (error) => void errors.push(error),
    ...parts,
  });
  workers.push(made);
  return made;
}

/** Processes what there is, for perspectives of this host. */
async function run(perspectives: readonly NamedPerspective[], parts?: Partial<PerspectiveWorkerParts>): Promise<void> {
  own = perspectives.map(({ name }) => ({ perspective: name }));
  const made = worker(perspectives, parts);
  made.wake();
  await made.idle();
}

async function notesOf(name: string, streamId = stream): Promise<string | null | undefined> {
  const [model] = await storage.perspectives.readModels(name, [streamId]);
  return (JSON.parse(model?.body ?? '{}') as { notes?: string[] }).notes?.join(' ');
}

/** Moves a perspective to a place, as if it had processed events up to there. */
async function moveTo(name: string, to: number, fields: Partial<PerspectiveCommit> = {}): Promise<void> {
  const from = await storage.perspectives.readProgress(name);
  const nothing = { models: [], sources: [], rewound: [], snapshots: [], stopped: [], resumed: [] };
  storage.perspectives.commitPerspective({ ...nothing, perspective: name, from, to, ...fields });
  commits.length = 0;
}

const commitsOf = (name: string): number[] =>
  commits.filter(({ perspective }) => perspective === name).map(({ to }) => to);

describe('perspectives at the same place', () => {
  it('process all events of their types, and report their progress once it is committed', async () => {
    for (const note of ['a', 'b']) append(note);
    append('x', { type: 'test.Other' });
    await run([notes('A'), notes('B')]);
    expect([await notesOf('A'), await notesOf('B')]).toEqual(['a b', 'a b']);
    expect(reached.toSorted()).toEqual(['A at 2', 'B at 2']);
    expect(new Set(progressed)).toEqual(new Set(['A', 'B']));
    expect([errors, emitted, queued]).toEqual([[], [], 0]);
  });

  it('read each page of the log once for all of them', async () => {
    append('a');
    const read = vi.spyOn(storage, 'readAll');
    await run([notes('A'), notes('B')]);
    // Once for the page, once to find that there is no more, and once in the next round.
    expect(read.mock.calls.map(([after]) => after)).toEqual([-1, 0, 0]);
  });

  it('continue with the models in memory in the next round', async () => {
    append('a');
    own = [{ perspective: 'A' }];
    const made = worker([notes('A')]);
    made.wake();
    await made.idle();
    const read = vi.spyOn(storage.perspectives, 'readModels');
    append('b');
    made.wake();
    await made.idle();
    expect(read).not.toHaveBeenCalled();
    expect(await notesOf('A')).toBe('a b');
    // It forgets those that it no longer processes.
    own = [];
    append('c');
    made.wake();
    await made.idle();
    expect(await notesOf('A')).toBe('a b');
    own = [{ perspective: 'A' }];
    read.mockClear();
    made.wake();
    await made.idle();
    expect(read).toHaveBeenCalled();
    expect(await notesOf('A')).toBe('a b c');
  });

  it('that are not of this host, or whose models belong to another version, are left alone', async () => {
    append('a');
    await run([]);
    expect(commits).toEqual([]);
    const { perspectives } = storage;
    const readProgress = perspectives.readProgress.bind(perspectives);
    perspectives.readProgress = async (tables: TablesRef) => ({
      ...(await readProgress(tables)),
      ...(tables !== 'B' && { sequence: behindEverything }),
    });
    await run([notes('A')]);
    perspectives.readProgress = async (tables: TablesRef): Promise<Progress> => {
      const progress = await readProgress(tables);
      return { ...progress, segments: [progress] };
    };
    await run([notes('A')]);
    expect(commits).toEqual([]);
  });

  it('commit to the tables that their progress was read from', async () => {
    append('a');
    const tables = { perspective: 'A', role: 'retained', name: 'A.old' } as const;
    const { perspectives } = storage;
    const readProgress = perspectives.readProgress.bind(perspectives);
    perspectives.readProgress = async () => ({ ...(await readProgress(tables)), tables });
    await run([notes('A')]);
    expect(commits.map((commit) => commit.tables)).toEqual([tables]);
  });
});

describe('perspectives at different places', () => {
  it('are processed in turns, up to the place of the next one', async () => {
    for (const note of ['a', 'b', 'c', 'd']) append(note);
    await moveTo('B', 1);
    await moveTo('C', 2);
    await run([notes('A'), notes('B'), notes('C')]);
    expect(commitsOf('A').slice(0, 2)).toEqual([1, 2]);
    expect(commitsOf('B')[0]).toBe(2);
    expect(commitsOf('C')[0]).toBe(3);
    expect([await notesOf('A'), await notesOf('B'), await notesOf('C')]).toEqual(['a b c d', 'c d', 'd']);
  });

  it('have a shorter turn than one that is alone', async () => {
    for (let i = 0; i < 2 * pageSize + 1; i++) append('n', { type: 'test.Other' });
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(storage.perspectives, 'readStopped').mockImplementation(() => {
      now += turnMs;
      return Promise.resolve([]);
    });
    await moveTo('B', 2 * pageSize);
    await run([notes('A'), notes('B')]);
    expect(progressed.slice(0, 2)).toEqual(['A is behind', 'B']);
    expect(commitsOf('A')[0]).toBe(pageSize - 1);
  });

  it('are behind after a round that had no time for the rest', async () => {
    for (let i = 0; i <= pageSize; i++) append('n', { type: 'test.Other' });
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(storage.perspectives, 'readStopped').mockImplementation(() => {
      now += roundMs - 1;
      return Promise.resolve([]);
    });
    await run([notes('A')]);
    expect(new Set(progressed)).toEqual(new Set(['A']));
    progressed.length = 0;
    vi.mocked(storage.perspectives.readStopped).mockImplementation(() => {
      now += roundMs;
      return Promise.resolve([]);
    });
    await run([notes('B')]);
    expect(progressed[0]).toBe('B is behind');
    expect(progressed.at(-1)).toBe('B');
    expect(commitsOf('B')).toEqual([pageSize - 1, pageSize]);
  });
});

describe('a perspective that loses its lease', () => {
  it('commits the page that it has processed, and no more', async () => {
    for (let i = 0; i <= pageSize; i++) append(`${i}`, { streamId: newId() });
    holds = ({ perspective }) => {
      if (perspective === 'B') own = [];
      return perspective !== 'B';
    };
    await run([notes('A'), notes('B')]);
    expect([commitsOf('A'), commitsOf('B')]).toEqual([[pageSize - 1], [pageSize - 1]]);
  });
});

describe('a perspective that fails', () => {
  it('at an event stops its stream, emits PerspectiveFailed, and processes all others', async () => {
    const other = newId();
    append('a');
    const failed = append('bad');
    append('b');
    append('c', { streamId: other });
    await run([notes('A', new Set(['bad'])), notes('B')]);
    expect([await notesOf('A'), await notesOf('A', other), await notesOf('B')]).toEqual(['a', 'c', 'a bad b']);
    expect(emitted).toMatchObject([{ perspectiveName: 'A', messageId: failed, attempt: 1 }]);
    expect(await storage.perspectives.readStopped('A')).toMatchObject([
      { streamId: stream, eventId: failed, position: 1, errorMessage: 'cannot apply bad', attempts: 1 },
    ]);
    expect(errors).toEqual([]);
    // Batches after it are committed together again, and the stream stays stopped.
    commits.length = 0;
    append('d');
    append('e', { streamId: other });
    await run([notes('A')]);
    expect([await notesOf('A'), await notesOf('A', other)]).toEqual(['a', 'c e']);
    expect(emitted).toHaveLength(1);
  });

  it('at a commit is reported and retried, and the others continue', async () => {
    append('a');
    let failures = 0;
    beforeCommit = ({ perspective }) => {
      if (perspective !== 'C' && failures++ < 2) throw new Error(`${perspective} is away`);
    };
    await run([notes('A'), notes('B'), notes('C')]);
    expect(errors.map((error) => (error as Error).message).toSorted()).toEqual(['A is away', 'B is away']);
    expect([await notesOf('A'), await notesOf('B'), await notesOf('C')]).toEqual(['a', 'a', 'a']);
    expect(commitsOf('C')).toHaveLength(1);
  });

  it('because another host was faster continues from the progress of that host, without a report', async () => {
    append('a');
    append('b');
    let isFirst = true;
    beforeCommit = ({ perspective, from, to }) => {
      if (!isFirst) return;
      isFirst = false;
      throw new PerspectiveMovedError(perspective, from.sequence, to);
    };
    await run([notes('A')]);
    expect(await notesOf('A')).toBe('a b');
    expect(errors).toEqual([]);
  });

  it('to read its progress is reported, and nothing is processed before all have read theirs', async () => {
    append('a');
    const { perspectives } = storage;
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
    await run([notes('A'), notes('B')]);
    expect(errors).toEqual([new Error('away')]);
    expect([await notesOf('A'), await notesOf('B')]).toEqual(['a', 'a']);
  });
});
