import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { wrap } from '../../messages/index.js';
import {
  InMemoryPerspectives,
  PerspectiveMovedError,
  type PerspectiveCommit,
  type StoredEvent,
} from '../../storage/index.js';
import type { NamedPerspective } from '../perspective.js';
import { commitChanges } from '../testing/trial-commits.js';
import { idOf } from '../testing/trial-events.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { ModelBuffer, ModelsLostError, type BufferLimits } from './model-buffer.js';

const named = namedPerspective({
  name: 'p',
  perspective: { apply: (model: { count: number } | null) => ({ count: (model?.count ?? 0) + 1 }) },
});
const once: BufferLimits = { mostCharacters: 32_000_000, commitEvery: () => Infinity };

/** An event, by default in a stream of its own. */
function happened(sequence: number, streamId = idOf(sequence), position = 0): StoredEvent {
  return { streamId, position, sequence, envelope: { ...wrap('t', {}), id: idOf(sequence) } };
}

async function started(
  storage: InMemoryPerspectives,
  { perspective = named.perspective, limits = once } = {},
): Promise<ModelBuffer> {
  const buffer = new ModelBuffer({ ...named, perspective }, storage, limits);
  buffer.startAt('p', await storage.readProgress('p'));
  return buffer;
}

async function apply(buffer: ModelBuffer, events: readonly StoredEvent[]): Promise<void> {
  const inOrder = await buffer.load(events);
  expect(inOrder).not.toBeNull();
  buffer.apply(inOrder!, { sequence: events.at(-1)!.sequence });
}

function observed(largestCommit?: number) {
  const storage = Object.assign(new InMemoryPerspectives(), largestCommit !== undefined && { largestCommit });
  const commits: PerspectiveCommit[] = [];
  const commitPerspective = storage.commitPerspective.bind(storage);
  storage.commitPerspective = (commit) => {
    commits.push(commit);
    commitPerspective(commit);
  };
  return { storage, commits, read: vi.spyOn(storage, 'readModels') };
}

describe('a model buffer', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('commits the changes of several batches as one', async () => {
    const { storage, commits } = observed();
    const buffer = await started(storage);
    const stream = idOf(1);
    await apply(buffer, [happened(1, stream, 0), happened(2)]);
    await apply(buffer, [happened(3, stream, 1)]);
    expect(commits).toEqual([]);
    await buffer.flush();
    expect(commits).toHaveLength(1);
    const [model] = await storage.readModels('p', [stream]);
    expect(model).toMatchObject({ body: '{"count":2}', version: 2, lastEventId: idOf(3) });
    expect(await storage.readProgress('p')).toMatchObject({ sequence: 3, revision: 1 });
  });

  it('continues with the models in memory at the same progress, and reads them after another', async () => {
    const { storage, read } = observed();
    const buffer = await started(storage);
    const stream = idOf(1);
    await apply(buffer, [happened(1, stream, 0)]);
    await buffer.flush();
    buffer.startAt('p', await storage.readProgress('p'));
    await apply(buffer, [happened(2, stream, 1)]);
    await buffer.flush();
    expect(read).not.toHaveBeenCalled();
    const [model] = await storage.readModels('p', [stream]);
    const changed = { ...model!, body: '{"count":7}', indexed: {} };
    await commitChanges(storage, 'p', { to: 2, models: [changed] });
    buffer.startAt('p', await storage.readProgress('p'));
    await apply(buffer, [happened(3, stream, 2)]);
    await buffer.flush();
    expect((await storage.readModels('p', [stream]))[0]!.body).toBe('{"count":8}');
  });

  it('reads no model for the first event of a stream', async () => {
    const { storage, read } = observed();
    await commitChanges(storage, 'p', { to: 0 });
    const buffer = await started(storage);
    await apply(buffer, [happened(1), happened(2)]);
    expect(read).not.toHaveBeenCalled();
    await apply(buffer, [happened(3, idOf(9), 1)]);
    expect(read).toHaveBeenCalledWith('p', [idOf(9)]);
  });

  it('drops models beyond its limit, and reads them again with their changes', async () => {
    const { storage, read } = observed();
    const buffer = await started(storage, { limits: { mostCharacters: 10_000, commitEvery: () => 0 } });
    const streams = Array.from({ length: 300 }, (_, i) => idOf(1_000 + i));
    let sequence = 0;
    for (let round = 0; round < 3; round++) {
      for (let start = 0; start < streams.length; start += 10) {
        const batch = streams.slice(start, start + 10).map((stream) => happened(++sequence, stream, round));
        await apply(buffer, batch);
        await buffer.commitIfDue();
      }
    }
    await buffer.flush();
    expect(read).toHaveBeenCalled();
    const bodies = (await storage.readModels('p', streams)).map(({ body }) => body);
    expect(bodies).toEqual(streams.map(() => '{"count":3}'));
  });

  it('waits for the commit under way before the changed models exceed its limit', async () => {
    const { storage, commits } = observed(Infinity);
    const buffer = await started(storage, { limits: { mostCharacters: 100_000, commitEvery: () => 0 } });
    await apply(buffer, [happened(1)]);
    await buffer.flush();
    let release = (): void => {};
    const commitPerspective = storage.commitPerspective.bind(storage);
    const released = new Promise<void>((resolve) => (release = resolve));
    const slowly = async (commit: PerspectiveCommit): Promise<void> => {
      await released;
      commitPerspective(commit);
    };
    Object.assign(storage, { commitPerspective: slowly });
    await apply(buffer, [happened(2)]);
    await buffer.commitIfDue();
    let batches = 0;
    const applying = (async () => {
      for (let sequence = 3; sequence < 1_003; sequence += 50, batches++) {
        await apply(
          buffer,
          Array.from({ length: 50 }, (_, i) => happened(sequence + i)),
        );
        await buffer.commitIfDue();
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(batches).toBeLessThan(4);
    release();
    await applying;
    await buffer.flush();
    expect(commits.flatMap(({ models }) => models)).toHaveLength(1_002);
  });

  it('loses its models when an event cannot be applied, and commits none of them', async () => {
    const { storage, commits } = observed();
    const perspective = {
      apply: (model: object | null, _event: object, { position }: { position: number }) => {
        if (position === 1) throw new Error('no');
        return model ?? {};
      },
    };
    const buffer = await started(storage, { perspective });
    const inOrder = await buffer.load([happened(1), happened(2, idOf(1), 1)]);
    expect(() => buffer.apply(inOrder!, { sequence: 2 })).toThrow(ModelsLostError);
    buffer.startAt('p', await storage.readProgress('p'));
    await buffer.flush();
    expect(commits).toEqual([]);
  });

  it('loses its models when one cannot be written', async () => {
    const { storage, commits } = observed();
    const buffer = await started(storage, { perspective: { apply: () => ({ big: 1n }) } });
    await apply(buffer, [happened(1)]);
    await expect(buffer.flush()).rejects.toThrow(ModelsLostError);
    expect(commits).toEqual([]);
  });

  describe('commits before it exceeds its limit', () => {
    /** Applies 500 events at a time. The clock stands still, so that no commit is due because of its age. */
    async function replayed(perspective: NamedPerspective['perspective'], count: number, largestCommit?: number) {
      const { storage, commits } = observed(largestCommit);
      const buffer = await started(storage, { perspective });
      for (let sequence = 0; sequence < count; sequence += 500) {
        await apply(
          buffer,
          Array.from({ length: 500 }, (_, i) => happened(sequence + i)),
        );
        await buffer.commitIfDue();
      }
      return commits;
    }
    beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0));

    const one = { keyOf: () => 'all', apply: () => ({}) };

    it('of sources, with a storage that limits the rows of a commit', async () => {
      const commits = await replayed(one, 2_000);
      expect(commits.map(({ sources }) => sources.length)).toEqual([1_000, 1_000]);
    });

    it('of sources, with a storage that does not limit the rows of a commit', async () => {
      const commits = await replayed(one, 120_000, Infinity);
      expect(commits).toHaveLength(1);
      expect(commits[0]!.sources.length).toBeLessThan(110_000);
    });

    it('of models whose sizes are unknown', async () => {
      const large = { apply: () => ({ text: 'x'.repeat(20_000) }) };
      const commits = await replayed(large, 3_000, Infinity);
      expect(commits.map(({ models }) => models.length)).toEqual([1_000, 1_000, 1_000]);
    });
  });

  it('rejects the next batch when a commit has failed', async () => {
    const storage = new InMemoryPerspectives();
    const buffer = await started(storage);
    storage.commitPerspective = () => {
      throw new Error('away');
    };
    await apply(buffer, [happened(1)]);
    await expect(buffer.flush()).rejects.toThrow('away');
    await apply(buffer, [happened(2)]);
    await expect(buffer.commitIfDue()).rejects.toThrow('away');
  });

  it('commits nothing when another host has committed to the same tables', async () => {
    const storage = new InMemoryPerspectives();
    const buffer = await started(storage);
    await commitChanges(storage, 'p', { to: 3 });
    await apply(buffer, [happened(7)]);
    await expect(buffer.flush()).rejects.toThrow(PerspectiveMovedError);
    expect((await storage.readProgress('p')).sequence).toBe(3);
  });
});
