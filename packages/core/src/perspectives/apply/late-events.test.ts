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
  behindEverything,
  EventLog,
  InMemoryStorage,
  isOfSegment,
  type LogPlace,
  type OutgoingRecord,
  type PendingRecord,
  type PerspectiveCommit,
} from '../../storage/index.js';
import { NoOpSystemEventEmitter } from '../../system-events/index.js';
import { ModelOwners } from '../model-owner.js';
import type { NamedPerspective } from '../perspective.js';
import { nameOfWork, type PerspectiveWork } from './perspective-work.js';
import { perspectiveWorker, type PerspectiveWorkerParts } from './perspective-worker.js';

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
function notes(name: string): NamedPerspective {
  return {
    name,
    perspective: {
      apply: (model: { notes: string[] } | null, { note }: Noted) => ({ notes: [...(model?.notes ?? []), note] }),
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
let reached: string[];
let own: PerspectiveWork[];
let others: PerspectiveWork[];
let workers: BackgroundWorker[];
let queued: number;
let rounds: number;
/** More than any test needs: a worker that never ends fails a test instead of blocking it. */
const mostRounds = 30;

beforeEach(() => {
  storage = new InMemoryStorage();
  [commits, reached, workers] = [[], [], []];
  [own, others] = [[], []];
  queued = 0;
  rounds = 0;
  let reads = 0;
  const readAll = storage.readAll.bind(storage);
  storage.readAll = (after) => {
    if (++reads > mostRounds) throw new Error('It reads the log without an end.');
    return readAll(after);
  };
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

/** An event of another database, which comes after one with a greater id. */
function appendLate(note: string, id: Uuid, latest: Uuid): Uuid {
  return append(note, { id, metadata: { [originKey]: null, [latestIdKey]: latest } });
}

/** Events instead of their messages. */
const outgoingOf = (event: Event): OutgoingRecord =>
  Object.assign(event, { id: newId(), lane: 'system', eventId: null, message: null }) as unknown as OutgoingRecord;

function worker(
  perspectives: readonly NamedPerspective[],
  parts: Partial<PerspectiveWorkerParts> = {},
): BackgroundWorker {
  const made = perspectiveWorker(perspectives, {
    log: new EventLog(storage, messages),
    storage: storage.perspectives,
    emitter: new NoOpSystemEventEmitter(),
    outgoingOf: null,
    queued: () => void queued++,
    reached: (work, { sequence }: LogPlace) => void reached.push(`${nameOfWork(work)} at ${sequence}`),
    lane: 'lane',
    share: {
      take: () => Promise.resolve(++rounds < mostRounds ? { own, others } : { own: [], others: [] }),
      holds: () => Promise.resolve(true),
      progressed: () => {},
    },
    report: (error) => expect(error).toBeUndefined(),
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

describe('late events', () => {
  const eventsOf = (): string[] => commits.flatMap(({ outgoing = [] }) => outgoing.map((one) => one.constructor.name));
  let ids: Uuid[];

  beforeEach(async () => {
    ids = [newId(), newId(), newId()];
    append('a', { id: ids[0]! });
    append('c', { id: ids[2]! });
    await run([notes('A'), notes('B')]);
    appendLate('b', ids[1]!, ids[2]!);
    commits.length = 0;
  });

  it('are applied in their order, without rewind events if these are disabled', async () => {
    await run([notes('A'), notes('B')]);
    expect([await notesOf('A'), await notesOf('B')]).toEqual(['a b c', 'a b c']);
    expect(eventsOf()).toEqual([]);
    expect(queued).toBe(0);
  });

  it('are reported: the start before models change, the end with them', async () => {
    await run([notes('A'), notes('B')], { outgoingOf });
    expect([await notesOf('A'), await notesOf('B')]).toEqual(['a b c', 'a b c']);
    expect(
      commits.map(({ perspective, models, outgoing = [] }) => [perspective, models.length, outgoing.length]),
    ).toEqual([
      ['A', 0, 2],
      ['A', 1, 1],
      ['B', 0, 1],
      ['B', 1, 2],
    ]);
    expect(eventsOf()).toEqual([
      'StreamRewindStarted',
      'PerspectiveRewindStarted',
      'PerspectiveRewindCompleted',
      'PerspectiveRewindStarted',
      'PerspectiveRewindCompleted',
      'StreamRewindCompleted',
    ]);
    expect(commits[0]!.outgoing![0]).toMatchObject({ perspectiveNames: ['A', 'B'], triggerEventId: ids[1] });
    expect(queued).toBe(4);
    expect(await storage.perspectives.readRewinds('lane')).toEqual([]);
  });

  it('name the perspectives of other hosts, which complete the rewind', async () => {
    const all = [notes('A'), notes('B')];
    others = [{ perspective: 'B' }];
    own = [{ perspective: 'A' }];
    const one = worker(all, { outgoingOf });
    one.wake();
    await one.idle();
    expect(eventsOf()).toEqual(['StreamRewindStarted', 'PerspectiveRewindStarted', 'PerspectiveRewindCompleted']);
    expect(commits[0]!.outgoing![0]).toMatchObject({ perspectiveNames: ['A', 'B'] });
    expect(await storage.perspectives.readRewinds('lane')).toMatchObject([{ perspectiveNames: ['A'], begun: [] }]);
    commits.length = 0;
    own = [{ perspective: 'B' }];
    others = [{ perspective: 'A' }];
    const two = worker(all, { outgoingOf });
    two.wake();
    await two.idle();
    expect(eventsOf()).toEqual(['PerspectiveRewindStarted', 'PerspectiveRewindCompleted', 'StreamRewindCompleted']);
  });

  it('do not name a perspective of another host whose models belong to another version', async () => {
    const { perspectives } = storage;
    const readProgress = perspectives.readProgress.bind(perspectives);
    perspectives.readProgress = async (tables) => {
      const name = typeof tables === 'string' ? tables : tables.name;
      return { ...(await readProgress(tables)), ...(name === 'B' && { sequence: behindEverything }) };
    };
    others = [{ perspective: 'B' }];
    own = [{ perspective: 'A' }];
    const one = worker([notes('A'), notes('B')], { outgoingOf });
    one.wake();
    await one.idle();
    expect(commits[0]!.outgoing![0]).toMatchObject({ perspectiveNames: ['A'] });
    // It has nothing to pass.
    expect(eventsOf().at(-1)).toBe('StreamRewindCompleted');
  });

  it('whose rewind all perspectives have passed by a rebuild are completed by the next round', async () => {
    const begun = { triggeringEventId: ids[1]!, startedAt: 1, finalEventId: ids[2]!, eventsReplayed: 3 };
    const open = {
      streamId: stream,
      startedAt: 1,
      upTo: { sequence: 2 },
      perspectiveNames: [],
      eventsReplayed: 0,
      begun: [{ perspectiveName: 'A', ...begun }],
    };
    await moveTo('A', 2, { rewinds: { lane: 'lane', known: [], open: [open] } });
    own = [{ perspective: 'A' }];
    others = [{ perspective: 'B' }];
    const one = worker([notes('A'), notes('B')], { outgoingOf });
    one.wake();
    await one.idle();
    // B is still before the place.
    expect(eventsOf()).toEqual(['PerspectiveRewindCompleted']);
    await moveTo('B', 2);
    one.wake();
    await one.idle();
    expect(eventsOf()).toEqual(['StreamRewindCompleted']);
    expect(commitsOf('A')).toEqual([2]);
    expect(await storage.perspectives.readRewinds('lane')).toEqual([]);
  });

  it('of a divided perspective are completed once all of its segments have passed', async () => {
    const { perspectives } = storage;
    const readProgress = perspectives.readProgress.bind(perspectives);
    const index = isOfSegment(stream, { index: 0, of: 2 }) ? 0 : 1;
    let otherSegment = 1;
    perspectives.readProgress = async (tables) => {
      const progress = await readProgress(tables);
      if (tables !== 'A') return progress;
      const behind = { ...progress, sequence: otherSegment };
      const segments = index === 0 ? [progress, behind] : [behind, progress];
      return { ...progress, sequence: Math.min(...segments.map(({ sequence }) => sequence)), segments };
    };
    own = [{ perspective: 'A', segment: { index, of: 2 } }];
    const one = worker([notes('A')], { outgoingOf });
    one.wake();
    await one.idle();
    expect(reached.at(-1)).toBe(`A#${index}/2 at 2`);
    expect(await notesOf('A')).toBe('a b c');
    expect(eventsOf()).toEqual(['StreamRewindStarted', 'PerspectiveRewindStarted']);
    otherSegment = 2;
    one.wake();
    await one.idle();
    expect(eventsOf().slice(2)).toEqual(['PerspectiveRewindCompleted', 'StreamRewindCompleted']);
  });
});
