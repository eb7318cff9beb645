import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import {
  asTables,
  behindEverything,
  PerspectiveMovedError,
  segmentsOf,
  type ModelTables,
  type PerspectiveStorage,
  type Progress,
  type StoppedStream,
} from '../storage/index.js';
import { anyOwner, commitBatch, modelRecord, openedPerspectives } from './perspective-records.js';
import type { StorageCase } from './storage-case.js';

const [first, second] = segmentsOf(2).map((segment): ModelTables => ({
  perspective: 'p',
  role: 'serving',
  name: 'p',
  segment,
}));

/** Opens a storage with a perspective `p` of two segments. */
async function divided(storage: PerspectiveStorage): Promise<Progress> {
  const from = await storage.readProgress('p');
  assert.equal(await storage.segments!.divide(asTables('p'), from, 2), true);
  return from;
}

function stoppedAt(position: number): StoppedStream {
  return { streamId: newId(), eventId: newId(), position, errorName: 'E', errorMessage: 'm', attempts: 1 };
}

/** What a storage adds that divides perspectives into segments. */
export const segmentCases: readonly StorageCase[] = [
  {
    name: 'divides a perspective into segments that start at its progress, and commits to each of them separately',
    async run(open) {
      const storage = await openedPerspectives(open);
      await commitBatch(storage, await storage.readProgress('p'), { to: 4 });
      const whole = await divided(storage);
      const from = await storage.readProgress(first!);
      assert.equal(from.sequence, 4);
      await commitBatch(storage, from, { tables: first!, to: 9, models: [modelRecord('k', '1')] });
      assert.deepEqual(
        (await storage.listModels('p', anyOwner)).map(({ body }) => body),
        ['1'],
      );
      assert.equal((await storage.readProgress(second!)).sequence, 4);
      const progress = await storage.readProgress('p');
      assert.equal(progress.sequence, 4);
      assert.ok(progress.revision > whole.revision);
      assert.deepEqual(
        progress.segments?.map(({ sequence }) => sequence),
        [9, 4],
      );
    },
  },
  {
    name: 'commits nothing for a former holder of a segment, or of the perspective before it was divided',
    async run(open) {
      const storage = await openedPerspectives(open);
      const whole = await divided(storage);
      const models = [modelRecord('k', 'former')];
      await assert.rejects(() => commitBatch(storage, whole, { models }), PerspectiveMovedError);
      await assert.rejects(async () => {
        const { sequence, revision } = await storage.readProgress('p');
        await commitBatch(storage, { sequence, revision }, { models });
      }, PerspectiveMovedError);
      const from = await storage.readProgress(first!);
      await commitBatch(storage, from, { tables: first! });
      await assert.rejects(() => commitBatch(storage, from, { tables: first!, models }), PerspectiveMovedError);
      await commitBatch(storage, await storage.readProgress(second!), { tables: second! });
      const atEnd = await storage.readProgress(first!);
      assert.equal(await storage.segments!.unite(asTables('p')), true);
      await assert.rejects(() => commitBatch(storage, atEnd, { tables: first!, models }), PerspectiveMovedError);
      await divided(storage);
      await assert.rejects(() => commitBatch(storage, atEnd, { tables: first!, models }), PerspectiveMovedError);
      assert.deepEqual(await storage.listModels('p', anyOwner), []);
    },
  },
  {
    name: 'divides a perspective only if it is whole and has not changed since it was read',
    async run(open) {
      const storage = await openedPerspectives(open);
      const from = await storage.readProgress('p');
      const divide = (at: Progress): Promise<boolean> => storage.segments!.divide(asTables('p'), at, 2);
      await commitBatch(storage, from);
      await assert.rejects(() => divide(from), PerspectiveMovedError);
      await divided(storage);
      await assert.rejects(async () => divide(await storage.readProgress('p')), PerspectiveMovedError);
    },
  },
  {
    name: 'makes a perspective whole only when its segments are at the same place and stopped at the same events',
    async run(open) {
      const storage = await openedPerspectives(open);
      const common = stoppedAt(1);
      await commitBatch(storage, await storage.readProgress('p'), { stopped: [common] });
      await divided(storage);
      for (const segment of [first!, second!]) assert.deepEqual(await storage.readStopped(segment), [common]);
      const own = stoppedAt(2);
      await commitBatch(storage, await storage.readProgress(first!), { tables: first!, to: 5, stopped: [own] });
      assert.equal(await storage.segments!.unite(asTables('p')), false);
      await commitBatch(storage, await storage.readProgress(second!), { tables: second!, to: 5 });
      assert.equal(await storage.segments!.unite(asTables('p')), false);
      assert.deepEqual(await storage.readStopped(second!), [common]);
      assert.equal((await storage.readStopped('p')).length, 2);
      assert.equal((await storage.readStandings(['p'], 1))[0]!.stopped, 2);
      const resumed = [own.streamId];
      await commitBatch(storage, await storage.readProgress(first!), { tables: first!, to: 5, resumed });
      const before = await storage.readProgress('p');
      assert.equal(await storage.segments!.unite(asTables('p')), true);
      const after = await storage.readProgress('p');
      assert.deepEqual([after.sequence, after.segments], [5, undefined]);
      assert.ok(after.revision > before.revision);
      assert.deepEqual(await storage.readStopped('p'), [common]);
      assert.equal((await storage.readProgress(first!)).sequence, behindEverything);
      await commitBatch(storage, after);
    },
  },
  {
    name: 'empties a divided perspective, and replaces it only if no segment has changed since it was read',
    async run(open) {
      const storage = await openedPerspectives(open);
      await divided(storage);
      const next = await storage.readProgress('next');
      await commitBatch(storage, next, { perspective: 'next', to: 7, models: [modelRecord('k', 'new')] });
      const [live, by] = [await storage.readProgress('p'), await storage.readProgress('next')];
      await commitBatch(storage, await storage.readProgress(second!), { tables: second! });
      const replace = async (at: Progress): Promise<void> => await storage.replacePerspective('p', 'next', at, by);
      await assert.rejects(() => replace(live), PerspectiveMovedError);
      await replace(await storage.readProgress('p'));
      assert.deepEqual((await storage.readProgress('p')).segments, undefined);
      assert.equal((await storage.readModels('p', ['k'])).length, 1);
      await divided(storage);
      const from = await storage.readProgress(first!);
      await storage.clearPerspective('p');
      const cleared = await storage.readProgress('p');
      assert.deepEqual([cleared.sequence, cleared.segments], [-1, undefined]);
      await assert.rejects(() => commitBatch(storage, from, { tables: first! }), PerspectiveMovedError);
    },
  },
];
