import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import {
  sourcesPerPage,
  type IndexedModel,
  type ModelPlace,
  type ModelQuery,
  type ModelRecord,
  type SourceKey,
  type SourcePage,
} from '../storage/index.js';
import {
  allSources,
  anyOwner,
  byStream,
  commitBatch,
  modelRecord,
  modelSource,
  openedPerspectives,
} from './perspective-records.js';
import type { StorageCase } from './storage-case.js';

/** What the capability `perspectives` adds for models, their sources and snapshots. */
export const modelCases: readonly StorageCase[] = [
  {
    name: 'lists the models that have a body in the order of their keys, of one owner or of all',
    async run(open) {
      const storage = await openedPerspectives(open);
      const models = [modelRecord('c', '3'), modelRecord('a', '1', 'b'), modelRecord('d', null), modelRecord('b', '2')];
      await commitBatch(storage, await storage.readProgress('p'), { models });
      const bodies = async (query: ModelQuery): Promise<(string | null)[]> =>
        (await storage.listModels('p', query)).map(({ body }) => body);
      assert.deepEqual(await bodies(anyOwner), ['1', '2', '3']);
      assert.deepEqual(await bodies({ ...anyOwner, offset: 1, limit: 1 }), ['2']);
      const ofOwner = (tenantId: string): ModelQuery => {
        return { ...anyOwner, owner: { owner: tenantId, values: { tenantId } } };
      };
      assert.deepEqual(await bodies(ofOwner('a')), ['2', '3']);
      assert.deepEqual(await bodies(ofOwner('c')), []);
      assert.equal(await storage.countModels('p', anyOwner), 3);
      assert.equal(await storage.countModels('p', ofOwner('a')), 2);
      assert.equal(await storage.countModels('p', ofOwner('c')), 0);
      assert.equal((await storage.readModels('p', ['d'])).length, 1);
    },
  },
  {
    name: 'distinguishes models with the same key by their owners, and lists all of them page by page',
    async run(open) {
      const storage = await openedPerspectives(open);
      const own = (key: string, tenantId: string): IndexedModel => {
        return { ...modelRecord(key, `${key}${tenantId}`, tenantId), id: `${key}\u001f${tenantId}` };
      };
      const models = ['a', 'b', 'c'].flatMap((key) => ['t', 'u', 'v'].map((tenantId) => own(key, tenantId)));
      await commitBatch(storage, await storage.readProgress('p'), { models });
      const found = await storage.findModels('p', 'b', 10);
      assert.deepEqual(new Set(found.map(({ body }) => body)), new Set(['bt', 'bu', 'bv']));
      assert.equal((await storage.findModels('p', 'b', 2)).length, 2);
      assert.deepEqual(await storage.findModels('p', 'nothing', 2), []);
      for (const descending of [false, true]) {
        const seen: (string | null)[] = [];
        for (let after: ModelPlace | null = null; ;) {
          const sort = { column: 'key', descending };
          const page: readonly ModelRecord[] = await storage.listModels('p', { ...anyOwner, limit: 2, sort, after });
          seen.push(...page.map(({ body }) => body));
          const last = page.at(-1);
          if (last === undefined) break;
          after = { key: last.key, value: last.key, owner: last.owner };
        }
        const all = models.map(({ body }) => body);
        assert.deepEqual(seen, descending ? all.toReversed() : all);
      }
    },
  },
  {
    name: 'lists the models of any number of owners',
    async run(open) {
      const storage = await openedPerspectives(open);
      const owners = Array.from({ length: 120 }, (_, i) => `t${String(i).padStart(3, '0')}`);
      const models = owners.map((owner, i) => modelRecord(`k${String(119 - i).padStart(3, '0')}`, owner, owner));
      await commitBatch(storage, await storage.readProgress('p'), { models });
      const bodies = async (after: ModelPlace | null): Promise<(string | null)[]> =>
        (await storage.listModels('p', { ...anyOwner, limit: 3, after })).map(({ body }) => body);
      assert.deepEqual(await bodies(null), ['t119', 't118', 't117']);
      assert.deepEqual(await bodies({ key: 'k116', value: 'k116', owner: 't003' }), ['t002', 't001', 't000']);
    },
  },
  {
    name: 'returns the sources of a model, and the models of a stream',
    async run(open) {
      const storage = await openedPerspectives(open);
      const [first, second, third] = [newId(), newId(), newId()];
      const [a, b] = [newId(), newId()];
      const ofA = { ...modelSource('k', a, 0, third), events: 0b101 };
      const ofB = { ...modelSource('k', b, 31_250, first), events: 2 ** 31 };
      await commitBatch(storage, await storage.readProgress('p'), { sources: [ofA, ofB] });
      const more = { ...ofA, events: 0b110, lastEventId: second };
      const others = [{ ...ofA, block: 1 }, modelSource('l', a)];
      await commitBatch(storage, await storage.readProgress('p'), { sources: [more, ...others] });
      const known = { ...ofA, events: 0b111 };
      assert.deepEqual(await allSources(storage, 'k', null), byStream([known, ofB, others[0]!]));
      assert.deepEqual(await allSources(storage, 'k', second), byStream([known, others[0]!]));
      assert.deepEqual((await storage.readModelIds('p', a)).toSorted(), ['k', 'l']);
      assert.deepEqual(await storage.readModelIds('p', b), ['k']);
    },
  },
  {
    name: 'reads the sources of a model page by page, later blocks first, with any page size',
    async run(open) {
      const storage = await openedPerspectives(open);
      const [streamId, old, recent] = [newId(), newId(), newId()];
      const blocks = Array.from({ length: 2 * sourcesPerPage + 500 }, (_, block) => block);
      const isRecent = (block: number): boolean => block % 1_000 === 400;
      const sources = blocks.map((block) => modelSource('k', streamId, block, isRecent(block) ? recent : old));
      await commitBatch(storage, await storage.readProgress('p'), { sources });
      const found: number[] = [];
      let next: SourceKey | null = null;
      do {
        const page: SourcePage = await storage.readSources('p', 'k', old, next);
        found.push(...page.sources.map(({ block }) => block).toSorted((x, y) => y - x));
        ({ next } = page);
      } while (next !== null);
      assert.deepEqual(found, [2_400, 1_400, 400]);
    },
  },
  {
    name: 'finds the newest snapshot before an event, retains five, and deletes those that a rewind invalidates',
    async run(open) {
      const storage = await openedPerspectives(open);
      const events = Array.from({ length: 10 }, () => newId());
      const snapshots = events.map((eventId, i) => ({ id: 'k', eventId, body: String(i), version: i }));
      const nearest = async (...before: readonly number[]): Promise<(string | null | undefined)[]> =>
        await Promise.all(before.map(async (i) => (await storage.readSnapshot('p', 'k', events[i]!))?.body));
      await commitBatch(storage, await storage.readProgress('p'), { snapshots: snapshots.slice(0, 7) });
      assert.deepEqual(await nearest(9, 6, 3, 2), ['6', '5', '2', undefined]);
      const rewound = [{ id: 'k', afterEventId: events[3]! }];
      await commitBatch(storage, await storage.readProgress('p'), { rewound, snapshots: [snapshots[4]!] });
      assert.deepEqual(await nearest(9, 4), ['4', '3']);
      await commitBatch(storage, await storage.readProgress('p'), { rewound: [{ id: 'k', afterEventId: null }] });
      assert.deepEqual(await nearest(9), [undefined]);
    },
  },
];
