import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { wrap } from '../../messages/index.js';
import {
  InMemoryPerspectives,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type StoredEvent,
} from '../../storage/index.js';
import type { NamedPerspective, Perspective } from '../perspective.js';
import { observeCommits } from '../testing/trial-commits.js';
import { idOf } from '../testing/trial-events.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { turn } from '../testing/turns.js';
import { ModelBuffer, ModelsLostError, mostUnknown, type BufferLimits } from './model-buffer.js';

interface Count {
  readonly count: number;
}

const counting: Perspective<Count, { key?: string | null }> = {
  apply: (model) => ({ count: (model?.count ?? 0) + 1 }),
};
const keyed: typeof counting = { ...counting, keyOf: ({ key = 'k' }) => key };
const namedOf = (perspective = counting): NamedPerspective => namedPerspective({ name: 'p', perspective });

/** An event, by default the first one in a stream of its own. */
function happened(sequence: number, fields: { stream?: number; position?: number; key?: string | null } = {}) {
  const { stream = sequence, position = 0, key } = fields;
  const envelope = { ...wrap('t', key === undefined ? {} : { key }), id: idOf(sequence) };
  return { streamId: idOf(0x10_000 + stream), position, sequence, envelope } satisfies StoredEvent;
}

let storage: InMemoryPerspectives;
let commits: PerspectiveCommit[];
let now: number;
/** How long a commit takes. */
let commitMs: number;
/** Set while a commit waits for `release`. */
let release: (() => void) | undefined;
/** The durations for which the buffer has asked how often to commit. */
let asked: number[];

beforeEach(() => {
  storage = new InMemoryPerspectives();
  asked = [];
  [now, commitMs] = [0, 0];
  release = undefined;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  commits = observeCommits(storage, () => void (now += commitMs));
});
afterEach(() => void vi.restoreAllMocks());

const limitsOf = (fields: Partial<BufferLimits> = {}): BufferLimits => ({
  mostCharacters: 32_000_000,
  commitEvery: (ms) => {
    asked.push(ms);
    return 100;
  },
  ...fields,
});

async function started(named = namedOf(), limits = limitsOf()): Promise<ModelBuffer> {
  const buffer = new ModelBuffer(named, storage, limits);
  buffer.startAt('p', await storage.readProgress('p'));
  return buffer;
}

async function apply(buffer: ModelBuffer, ...events: StoredEvent[]): Promise<void> {
  buffer.apply((await buffer.load(events))!, { sequence: events.at(-1)!.sequence });
}

const range = (from: number, count: number): StoredEvent[] =>
  Array.from({ length: count }, (_, i) => happened(from + i));
const sizes = (): number[] => commits.map(({ models }) => models.length);

/** Lets the next commits wait until they are released. */
function holdCommits(): void {
  const commit = storage.commitPerspective.bind(storage);
  const waiting = async (batch: PerspectiveCommit): Promise<void> => {
    await new Promise<void>((resolve) => (release = resolve));
    commit(batch);
  };
  Object.assign<PerspectiveStorage, Partial<PerspectiveStorage>>(storage, { commitPerspective: waiting });
}

describe('a commit that is due because of its age', () => {
  it('starts a while after the start of the previous one, which its duration per row decides', async () => {
    const buffer = await started();
    await apply(buffer, ...range(1, 3));
    now = 99;
    await buffer.commitIfDue();
    expect([asked, sizes()]).toEqual([[0], []]);
    [now, commitMs] = [100, 30];
    await buffer.commitIfDue();
    await buffer.settle();
    expect(sizes()).toEqual([3]);
    await apply(buffer, ...range(4, 2));
    now = 199;
    await buffer.commitIfDue();
    // Ten milliseconds per row, for two rows.
    expect([asked.at(-1), sizes()]).toEqual([20, [3]]);
    now = 200;
    await buffer.commitIfDue();
    expect(sizes()).toEqual([3, 2]);
  });

  it('counts models, sources and snapshots as rows', async () => {
    const buffer = await started(namedOf(keyed));
    const events = Array.from({ length: 100 }, (_, i) => happened(i + 1, { stream: 1, position: i }));
    await apply(buffer, ...events);
    commitMs = 60;
    await buffer.flush();
    expect(commits[0]).toMatchObject({ models: { length: 1 }, sources: { length: 4 }, snapshots: { length: 1 } });
    await apply(buffer, happened(101, { stream: 1, position: 100 }));
    await buffer.commitIfDue();
    expect(asked.at(-1)).toBe(20);
  });

  it('counts a commit without rows as one row', async () => {
    const buffer = await started(namedOf(keyed));
    await apply(buffer, happened(1, { key: null }));
    commitMs = 50;
    await buffer.flush();
    expect(commits).toMatchObject([{ models: [], sources: [], to: 1 }]);
    await apply(buffer, happened(2));
    await buffer.commitIfDue();
    expect(asked.at(-1)).toBe(100);
  });

  it('does not start while another one is under way', async () => {
    const buffer = await started();
    holdCommits();
    await apply(buffer, happened(1));
    now = 100;
    await buffer.commitIfDue();
    await apply(buffer, happened(2));
    now = 1_000_000;
    await buffer.commitIfDue();
    expect(commits).toEqual([]);
    release!();
    await buffer.settle();
    expect(sizes()).toEqual([1]);
    await buffer.commitIfDue();
    release!();
    await buffer.settle();
    expect(sizes()).toEqual([1, 1]);
  });
});

describe('a commit that is due because of its size', () => {
  const never = limitsOf({ commitEvery: () => Infinity });
  const withoutLimit = (): void => void Object.assign(storage, { largestCommit: Infinity });

  it('has as many rows as the storage accepts at once', async () => {
    Object.assign(storage, { largestCommit: 10 });
    const buffer = await started(namedOf(), never);
    await apply(buffer, ...range(1, 9));
    await buffer.commitIfDue();
    expect(sizes()).toEqual([]);
    await apply(buffer, happened(10));
    await buffer.commitIfDue();
    expect(sizes()).toEqual([10]);
  });

  it('has some number of models before the duration of a commit is known', async () => {
    withoutLimit();
    const buffer = await started(namedOf(), never);
    await apply(buffer, ...range(1, mostUnknown - 1));
    await buffer.commitIfDue();
    expect(sizes()).toEqual([]);
    await apply(buffer, happened(mostUnknown));
    commitMs = 1;
    await buffer.commitIfDue();
    await buffer.settle();
    expect(sizes()).toEqual([mostUnknown]);
    await apply(buffer, ...range(mostUnknown + 1, mostUnknown));
    await buffer.commitIfDue();
    expect(sizes()).toEqual([mostUnknown]);
  });

  it('has models that fill half of the memory', async () => {
    withoutLimit();
    const buffer = await started(namedOf(), { ...never, mostCharacters: 8_000 });
    await apply(buffer, ...range(1, 9));
    await buffer.commitIfDue();
    expect(sizes()).toEqual([]);
    await apply(buffer, happened(10));
    await buffer.commitIfDue();
    expect(sizes()).toEqual([10]);
  });

  it('lets other work have its turn while many models are written', async () => {
    withoutLimit();
    let hadTurn = false;
    const turns: boolean[] = [];
    const named = { ...namedOf(), writeModel: (model: Count) => (turns.push(hadTurn), JSON.stringify(model)) };
    const buffer = await started(named, never);
    await apply(buffer, ...range(1, 1_500));
    setImmediate(() => void (hadTurn = true));
    await buffer.flush();
    expect(turns.indexOf(true)).toBe(1_000);
    expect(sizes()).toEqual([1_500]);
  });
});

describe('a buffer with a commit under way', () => {
  it('has pending changes until it ends', async () => {
    const buffer = await started();
    holdCommits();
    await apply(buffer, happened(1));
    const flushing = buffer.flush();
    await turn();
    expect(buffer.hasPending).toBe(true);
    let isSettled = false;
    const settling = buffer.settle().then(() => (isSettled = true));
    await turn();
    expect(isSettled).toBe(false);
    release!();
    await settling;
    await flushing;
    expect(buffer.hasPending).toBe(false);
    expect(sizes()).toEqual([1]);
  });

  it('settles also if it fails, and its error waits for the next commit', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', onUnhandled);
    try {
      const buffer = await started();
      storage.commitPerspective = () => Promise.reject(new Error('away')) as never;
      await apply(buffer, happened(1));
      now = 100;
      await buffer.commitIfDue();
      await turn();
      await expect(buffer.settle()).resolves.toBeUndefined();
      await turn();
      expect(unhandled).toEqual([]);
      await expect(buffer.flush()).rejects.toThrow('away');
    } finally {
      process.off('unhandledRejection', onUnhandled);
    }
  });
});

describe('a buffer at its start', () => {
  it('knows that tables without progress have no models', async () => {
    const read = vi.spyOn(storage, 'readModels');
    const buffer = await started();
    await apply(buffer, happened(1, { position: 7 }));
    expect(read).not.toHaveBeenCalled();
    await buffer.flush();
    const next = await started();
    await apply(next, happened(2, { position: 7 }));
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('measures the time to its first commit from there', async () => {
    now = 5_000;
    const buffer = await started();
    await apply(buffer, happened(1));
    await buffer.commitIfDue();
    expect(sizes()).toEqual([]);
    now = 5_100;
    await buffer.commitIfDue();
    expect(sizes()).toEqual([1]);
  });

  it('after lost models continues with the stored ones', async () => {
    const failing: Perspective<{ count: number }, { key?: string | null }> = {
      apply: (model, { key }) => {
        const changed = model ?? { count: 0 };
        changed.count++;
        if (key === 'bad') throw new Error('cannot apply');
        return changed;
      },
    };
    const buffer = await started(namedOf(failing));
    await apply(buffer, happened(1, { stream: 1 }));
    await buffer.flush();
    const bad = await buffer.load([happened(2, { stream: 1, position: 1, key: 'bad' })]);
    expect(() => buffer.apply(bad!, { sequence: 2 })).toThrow(ModelsLostError);
    buffer.startAt('p', await storage.readProgress('p'));
    await apply(buffer, happened(3, { stream: 1, position: 2 }));
    await buffer.flush();
    expect((await storage.readModels('p', [happened(1, { stream: 1 }).streamId]))[0]).toMatchObject({
      body: '{"count":2}',
      version: 2,
    });
  });
});
