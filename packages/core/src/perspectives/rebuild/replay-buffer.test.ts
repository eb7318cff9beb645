/** Changes through a buffer have the same result as changes to the storage, whenever the buffer commits. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId, wrap } from '../../messages/index.js';
import { ScopeFilters } from '../../security/index.js';
import {
  InMemoryPerspectives,
  ModelSources,
  PerspectiveMovedError,
  type ModelSource,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type StoredEvent,
} from '../../storage/index.js';
import { ModelOwners } from '../model-owner.js';
import type { NamedPerspective } from '../perspective.js';
import { ReplayBuffer } from './replay-buffer.js';

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);
const keys = ['a', 'b', 'c'];
const eventIds = Array.from({ length: 12 }, () => newId());
const streams = [newId(), newId()];

const named: NamedPerspective = {
  name: 'p',
  perspective: { apply: (model: object | null) => model ?? {} },
  events: [],
  columns: [],
  owners: new ModelOwners(ScopeFilters.None),
  readModel: (value) => value as object,
  writeModel: (value) => JSON.stringify(value),
};

const key = fc.constantFrom(...keys);
const eventId = fc.constantFrom(...eventIds);
const streamId = fc.constantFrom(...streams);
const body = fc.option(fc.string({ maxLength: 3 }));
const version = fc.nat({ max: 9 });
const batch = fc.record({
  models: fc.uniqueArray(
    fc
      .record({ id: key, body, version, lastEventId: eventId, scope: fc.constant(null), indexed: fc.constant({}) })
      .map((model) => Object.assign(model, { key: model.id, owner: '' })),
    { maxLength: 2, selector: (model) => model.id },
  ),
  sources: fc.array(
    fc.record({ id: key, streamId, block: fc.nat({ max: 1 }), events: fc.nat({ max: 7 }), lastEventId: eventId }),
    { maxLength: 3 },
  ),
  stopped: fc.array(
    fc.record({
      streamId,
      eventId,
      position: version,
      errorName: fc.constant('E'),
      errorMessage: fc.constant(''),
      attempts: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 1 },
  ),
  resumed: fc.constant([]),
});
/** Snapshots ascend with events; a rewind returns to one of them, or to the start. */
const step = fc.record({
  batch,
  grow: fc.nat({ max: 3 }),
  back: fc.option(fc.nat({ max: 4 })),
  key,
  commits: fc.constantFrom('no', 'some', 'all'),
});

/** An event in a stream of its own. */
function happened(sequence: number): StoredEvent {
  const id = `01912d68-783e-7a03-8467-${sequence.toString(16).padStart(12, '0')}` as Uuid;
  return { streamId: id, position: 0, sequence, envelope: { ...wrap('t', {}), id } };
}

const keyOfSource = ({ id, streamId: stream, block }: ModelSource): string => `${id} ${stream} ${block}`;

type Readable = Pick<PerspectiveStorage, 'readModels' | 'readStopped' | 'readSources' | 'readSnapshot'>;

async function stateOf(storage: Readable): Promise<unknown[]> {
  const found = new ModelSources();
  for (const one of keys)
    for (const source of (await storage.readSources('p', one, null, null)).sources) found.add(source);
  const ordered = found.all().toSorted((a, b) => (keyOfSource(a) < keyOfSource(b) ? -1 : 1));
  return [await storage.readModels('p', keys), await storage.readStopped('p'), ordered];
}

describe('a replay buffer', () => {
  it(`returns and commits what a storage would (SVC_TEST_SEED=${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const [plain, buffered] = [new InMemoryPerspectives(), new InMemoryPerspectives()];
        const buffer = new ReplayBuffer(named, 'p', await buffered.readProgress('p'), buffered, false);
        const indexesByKey = new Map<string, number[]>(keys.map((one) => [one, []]));
        const right = new Map<string, string>();
        let to = 0;
        for (const { batch: changes, grow, back, key: grown, commits } of steps) {
          const indexes = indexesByKey.get(grown)!;
          const rewound: PerspectiveCommit['rewound'][number][] = [];
          if (back !== null && indexes.length > 0) {
            const left = Math.max(0, indexes.length - back);
            for (const index of indexes.splice(left)) right.delete(`${grown} ${eventIds[index]!}`);
            rewound.push({ id: grown, afterEventId: left === 0 ? null : eventIds[indexes.at(-1)!]! });
          }
          const snapshots: PerspectiveCommit['snapshots'][number][] = [];
          for (let n = 0; n < grow && (indexes.at(-1) ?? -1) + 1 < eventIds.length; n++) {
            const next = (indexes.at(-1) ?? -1) + 1;
            indexes.push(next);
            snapshots.push({ id: grown, eventId: eventIds[next]!, body: `${to}.${n}`, version: next });
            right.set(`${grown} ${eventIds[next]!}`, `${to}.${n}`);
          }
          const commit = { ...changes, rewound, snapshots, perspective: 'p', to: ++to };
          plain.commitPerspective({ ...commit, from: await plain.readProgress('p') });
          await buffer.readStopped();
          buffer.commitPerspective({ ...commit, from: buffer.progress });
          if (commits === 'some') await buffer.commitIfDue();
          if (commits === 'all') await buffer.commitAll();
          expect(await stateOf(buffer)).toEqual(await stateOf(plain));
          for (const one of keys) {
            for (const before of eventIds) {
              const [shown, wanted] = [
                await buffer.readSnapshot('p', one, before),
                await plain.readSnapshot('p', one, before),
              ];
              // A commit retains five, so the buffer may have older ones for longer. They are valid and not needed.
              if (wanted !== null) expect(shown).toEqual(wanted);
              else if (shown !== null) expect(shown.body).toBe(right.get(`${one} ${shown.eventId}`));
            }
          }
        }
        await buffer.commitAll();
        expect(await stateOf(buffered)).toEqual(await stateOf(plain));
        expect((await buffered.readProgress('p')).sequence).toBe((await plain.readProgress('p')).sequence);
      }),
      { seed, numRuns: 60 },
    );
  });

  describe('commits before it exceeds its limit', () => {
    /** Applies events to models in memory, 500 at a time. The clock stands still, so that no commit is due because of its age. */
    async function replayed(perspective: NamedPerspective['perspective'], count: number, largestCommit?: number) {
      const storage = Object.assign(new InMemoryPerspectives(), largestCommit !== undefined && { largestCommit });
      const commits: PerspectiveCommit[] = [];
      const commitPerspective = storage.commitPerspective.bind(storage);
      storage.commitPerspective = (commit) => {
        commits.push(commit);
        commitPerspective(commit);
      };
      const read = vi.spyOn(storage, 'readModels');
      const buffer = new ReplayBuffer({ ...named, perspective }, 'p', await storage.readProgress('p'), storage, true);
      for (let sequence = 0; sequence < count; sequence += 500) {
        const events = Array.from({ length: 500 }, (_, i) => happened(sequence + i));
        expect(await buffer.applyHeld(events, { sequence: sequence + 499 })).toBe(true);
        await buffer.commitIfDue();
      }
      return { commits, read };
    }
    beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0));
    afterEach(() => void vi.restoreAllMocks());

    const one = { keyOf: () => 'all', apply: () => ({}) };

    it('of sources, with a storage that limits the rows of a commit', async () => {
      const { commits } = await replayed(one, 2_000);
      expect(commits.map(({ sources }) => sources.length)).toEqual([1_000, 1_000]);
    });

    it('of sources, with a storage that does not limit the rows of a commit', async () => {
      const { commits } = await replayed(one, 120_000, Infinity);
      expect(commits).toHaveLength(1);
      expect(commits[0]!.sources.length).toBeLessThan(110_000);
    });

    it('of models whose sizes are unknown', async () => {
      const large = { apply: () => ({ text: 'x'.repeat(20_000) }) };
      const { commits, read } = await replayed(large, 3_000, Infinity);
      expect(commits.map(({ models }) => models.length)).toEqual([1_000, 1_000, 1_000]);
      expect(read).toHaveBeenCalled();
    });
  });

  it('rejects the next batch when a commit has failed', async () => {
    const storage = new InMemoryPerspectives();
    const commit = { models: [], sources: [], rewound: [], snapshots: [], stopped: [], resumed: [], perspective: 'p' };
    const buffer = new ReplayBuffer(named, 'p', await storage.readProgress('p'), storage, true);
    storage.commitPerspective = () => {
      throw new Error('away');
    };
    buffer.commitPerspective({ ...commit, from: buffer.progress, to: 1 });
    await expect(buffer.commitAll()).rejects.toThrow('away');
    buffer.commitPerspective({ ...commit, from: buffer.progress, to: 2 });
    await expect(buffer.commitIfDue()).rejects.toThrow('away');
  });

  it('commits nothing when another host has committed to the same tables', async () => {
    const storage = new InMemoryPerspectives();
    const nothing = { models: [], sources: [], rewound: [], snapshots: [], stopped: [], resumed: [] };
    const buffer = new ReplayBuffer(named, 'p', await storage.readProgress('p'), storage, false);
    storage.commitPerspective({ ...nothing, perspective: 'p', from: await storage.readProgress('p'), to: 3 });
    buffer.commitPerspective({ ...nothing, perspective: 'p', from: buffer.progress, to: 7 });
    await expect(buffer.commitAll()).rejects.toThrow(PerspectiveMovedError);
    expect((await storage.readProgress('p')).sequence).toBe(3);
  });
});
