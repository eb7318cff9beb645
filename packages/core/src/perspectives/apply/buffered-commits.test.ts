import { beforeEach, expect, it, vi } from 'vitest';
import { wrap } from '../../messages/index.js';
import { InMemoryPerspectives, type PerspectiveCommit, type StoredEvent } from '../../storage/index.js';
import { observeCommits } from '../testing/trial-commits.js';
import { idOf } from '../testing/trial-events.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { applyEvents } from './apply-events.js';
import { ModelBuffer } from './model-buffer.js';

const named = namedPerspective({
  name: 'p',
  perspective: { apply: (model: { count: number } | null) => ({ count: (model?.count ?? 0) + 1 }) },
});
const stream = idOf(0xabc);
const happened = (number: number): StoredEvent => ({
  streamId: stream,
  position: number,
  sequence: number,
  envelope: { ...wrap('t', {}), id: idOf(number) },
});
const stop = { streamId: stream, eventId: idOf(9), position: 9, errorName: 'Error', errorMessage: '', attempts: 1 };

let storage: InMemoryPerspectives;
let commits: PerspectiveCommit[];
let places: number[];
let buffer: ModelBuffer;

beforeEach(async () => {
  storage = new InMemoryPerspectives();
  commits = observeCommits(storage);
  places = [];
  const limits = { mostCharacters: 1_000_000, commitEvery: () => Infinity };
  buffer = new ModelBuffer(named, storage, limits, ({ sequence }) => void places.push(sequence));
  buffer.startAt('p', await storage.readProgress('p'));
});

async function apply(...events: StoredEvent[]): Promise<void> {
  buffer.apply((await buffer.load(events))!, { sequence: events.at(-1)!.sequence });
}

it('reports its progress before it is committed, and each place once it is', async () => {
  expect(buffer.hasPending).toBe(false);
  await apply(happened(0), happened(1));
  expect([buffer.progress.sequence, buffer.place, buffer.hasPending]).toEqual([1, { sequence: 1 }, true]);
  expect(places).toEqual([]);
  await buffer.flush();
  expect([buffer.progress.revision, buffer.hasPending, places]).toEqual([1, false, [1]]);
  await buffer.flush();
  expect(commits).toHaveLength(1);
});

it('commits rewinds also without other changes, and does not report a place for them', async () => {
  const rewinds = { lane: 'lane', known: [], open: [] };
  await apply(happened(0));
  await buffer.commitOnly({ outgoing: [], rewinds });
  expect(commits.map(({ models, to }) => [models.length, to])).toEqual([
    [1, 0],
    [0, 0],
  ]);
  expect([commits[0]!.rewinds, commits[1]!.rewinds]).toEqual([undefined, rewinds]);
  await buffer.flush({ rewinds });
  expect(commits).toHaveLength(3);
  expect(places).toEqual([0]);
});

it('reads stored models after its changes are committed, and continues with the changes to these', async () => {
  await apply(happened(0));
  const [stored] = await buffer.readStored([stream]);
  expect(stored).toMatchObject({ body: '{"count":1}' });
  const states = new Map([[stream as string, stored!]]);
  buffer.add(applyEvents({ named, events: [happened(1)], stored: states, rewinds: [] }), [stop], { sequence: 1 });
  const read = vi.spyOn(storage, 'readModels');
  await apply(happened(2));
  expect(read).not.toHaveBeenCalled();
  await buffer.flush();
  expect(commits.at(-1)).toMatchObject({ to: 2, models: [{ body: '{"count":3}' }], stopped: [stop] });
});

it('knows the stops of streams, stored and new, and reads them once', async () => {
  const read = vi.spyOn(storage, 'readStopped');
  expect([...(await buffer.readStops()).keys()]).toEqual([]);
  const nothing = applyEvents({ named, events: [], stored: new Map(), rewinds: [] });
  buffer.add(nothing, [stop], { sequence: 1 });
  expect((await buffer.readStops()).get(stream)).toEqual(stop);
  await buffer.flush();
  expect(read).toHaveBeenCalledTimes(1);
  buffer.startAt({ perspective: 'p', role: 'rebuilding', name: 'other' }, { sequence: -1, revision: 0 });
  expect((await buffer.readStops()).size).toBe(0);
  expect(buffer.tables).toMatchObject({ name: 'other' });
  buffer.startAt('p', await storage.readProgress('p'));
  expect((await buffer.readStops()).get(stream)).toEqual(stop);
});

it('starts again without the changes of a commit that has failed', async () => {
  const commit = storage.commitPerspective.bind(storage);
  storage.commitPerspective = () => {
    throw new Error('away');
  };
  await apply(happened(0));
  await expect(buffer.flush()).rejects.toThrow('away');
  await buffer.settle();
  storage.commitPerspective = commit;
  buffer.startAt('p', await storage.readProgress('p'));
  expect([buffer.progress.sequence, buffer.hasPending]).toEqual([-1, false]);
  await apply(happened(0));
  await buffer.flush();
  expect(commits).toMatchObject([{ to: 0, models: [{ body: '{"count":1}', version: 1 }] }]);
});
