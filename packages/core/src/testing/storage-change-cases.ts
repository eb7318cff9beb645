import assert from 'node:assert/strict';
import { newTables, type ModelChange } from '../storage/index.js';
import { anyOwner, commitBatch, modelRecord, openedPerspectives } from './perspective-records.js';
import type { StorageCase } from './storage-case.js';

/** What the capability `perspectives` adds for readers that follow the changes of models. */
export const changeCases: readonly StorageCase[] = [
  {
    name: 'tells listeners which models a commit has changed, and at which revision',
    async run(open) {
      const storage = await openedPerspectives(open);
      const heard: ModelChange[] = [];
      storage.changes.listen((change) => heard.push(change));
      // A listener may be told at first that it could have missed something.
      const named = (): readonly ModelChange[] => heard.filter(({ ids }) => ids !== null);
      const from = await storage.readProgress('p');
      await commitBatch(storage, from, { models: [modelRecord('k', '1'), modelRecord('l', '1')] });
      // A commit without models, and one to tables that have no readers yet, change nothing for readers.
      await commitBatch(storage, await storage.readProgress('p'), { to: 5 });
      const rebuilding = newTables('p', 'rebuilding');
      const first = await storage.readProgress(rebuilding);
      await commitBatch(storage, first, { tables: rebuilding, models: [modelRecord('k', 'x')] });
      await commitBatch(storage, await storage.readProgress('p'), { models: [modelRecord('l', '2')], to: 6 });
      for (let tries = 0; named().length < 2 && tries < 500; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      assert.deepEqual(named(), [
        { perspective: 'p', ids: ['k', 'l'], revision: from.revision + 1 },
        { perspective: 'p', ids: ['l'], revision: from.revision + 3 },
      ]);
    },
  },
  {
    name: 'tells listeners of a commit with very many models',
    async run(open) {
      const storage = await openedPerspectives(open);
      const heard: ModelChange[] = [];
      storage.changes.listen((change) => heard.push(change));
      const many = Array.from({ length: 5_000 }, (_, i) => modelRecord(`k${i}`, String(i)));
      const from = await storage.readProgress('p');
      await commitBatch(storage, from, { models: many });
      const isTold = (): boolean => heard.some(({ revision }) => revision === from.revision + 1);
      for (let tries = 0; !isTold() && tries < 500; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
      const told = heard.find(({ revision }) => revision === from.revision + 1);
      assert.ok(told?.ids === null || told?.ids.length === many.length);
    },
  },
  {
    name: 'states of each model at which revision it has changed, and of the perspective when the last model has',
    async run(open) {
      const storage = await openedPerspectives(open);
      const { revision: start } = await storage.readProgress('p');
      const revisions = async (): Promise<(readonly [string, number])[]> =>
        (await storage.listModels('p', anyOwner)).map(({ key, revision }) => [key, revision - start]);
      await commitBatch(storage, await storage.readProgress('p'), {
        models: [modelRecord('k', '1'), modelRecord('l', '1')],
      });
      await commitBatch(storage, await storage.readProgress('p'), { models: [modelRecord('l', '2')], to: 3 });
      await commitBatch(storage, await storage.readProgress('p'), { to: 4 });
      assert.deepEqual(await revisions(), [
        ['k', 1],
        ['l', 2],
      ]);
      const [model] = await storage.readModels('p', ['l']);
      assert.equal(model!.revision, start + 2);
      const { revision, changed } = await storage.readProgress('p');
      assert.deepEqual([revision, changed], [start + 3, start + 2]);
    },
  },
  {
    name: 'gives tables that replace others another generation',
    async run(open) {
      const storage = await openedPerspectives(open);
      await commitBatch(storage, await storage.readProgress('p'), { models: [modelRecord('k', '1')] });
      const before = await storage.readProgress('p');
      const next = newTables('p', 'rebuilding');
      await commitBatch(storage, await storage.readProgress(next), { tables: next, models: [modelRecord('k', '2')] });
      await storage.replacePerspective('p', next, before, await storage.readProgress(next));
      const after = await storage.readProgress('p');
      assert.ok(typeof before.generation === 'string' && before.generation !== after.generation);
      assert.ok(after.revision > before.revision);
      assert.equal(after.changed, after.revision);
    },
  },
];
