/** What every storage of perspectives promises: run against each of them. */
import { newId, type Uuid } from '@svc/core';
import {
  PerspectiveMovedError,
  sourcesPerPage,
  type ModelPlace,
  type ModelRecord,
  type ModelSource,
  type OpenRewind,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type Progress,
  type SourceKey,
  type SourcePage,
} from '@svc/core/storage';
import { besideName } from '@svc/core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { ids } from './perspective-shop.js';

export function perspectiveStorageContract(make: () => Promise<PerspectiveStorage>): void {
  describe('perspectives', () => {
    let storage: PerspectiveStorage;
    beforeEach(async () => void (storage = await make()));

    const nothing = { models: [], sources: [], rewound: [], snapshots: [], stopped: [], resumed: [] };
    const commit = async (from: Progress, changes: Partial<PerspectiveCommit> = {}): Promise<void> => {
      await storage.commitPerspective({ perspective: 'p', from, to: from.sequence + 1, ...nothing, ...changes });
    };
    const model = (key: string, body: string | null, tenantId = 'a') => ({
      id: key,
      key,
      owner: tenantId,
      body,
      version: 1,
      lastEventId: newId(),
      scope: { tenantId },
      indexed: {},
    });
    const sourceOf = (id: string, streamId: Uuid, block = 0, lastEventId = newId()): ModelSource => {
      return { id, streamId, block, events: 1, lastEventId };
    };
    const allSources = async (id: string, after: Uuid | null): Promise<ModelSource[]> => {
      const found: ModelSource[] = [];
      let next: SourceKey | null = null;
      do {
        const page: SourcePage = await storage.readSources('p', id, after, next);
        found.push(...page.sources);
        ({ next } = page);
      } while (next !== null);
      return inOrder(found);
    };
    const anyOwner = { offset: 0, limit: 10, owner: null, principals: null };

    it('begin empty', async () => {
      expect(await storage.readProgress('p')).toMatchObject({ sequence: -1 });
      expect(await storage.listModels('p', anyOwner)).toEqual([]);
      expect(await storage.readSnapshot('p', 'k', newId())).toBeNull();
    });

    it('keep a batch when nothing else was kept since it was begun, and nothing of it otherwise', async () => {
      const from = await storage.readProgress('p');
      await commit(from, { models: [model('k', '1')] });
      const late = commit(from, { models: [model('k', '2'), model('l', '2')], to: 9 });
      await expect(late).rejects.toThrow(PerspectiveMovedError);
      expect((await storage.readModels('p', ['k', 'l'])).map(({ body }) => body)).toEqual(['1']);
      expect(await storage.readProgress('p')).toMatchObject({ sequence: 0 });
    });

    it('keep any number of models at once, and what goes with them, or none of it', async () => {
      const from = await storage.readProgress('p');
      const many = Array.from({ length: 10_500 }, (_, i) => model(`k${i}`, String(i)));
      const seen = [many[0]!, many[10_000]!, many[10_499]!].map(({ key }) => key);
      const sources = many.map(({ lastEventId }) => ({ ...sourceOf('k0', newId()), lastEventId }));
      const [first, second, behind] = [newId(), newId(), newId()];
      const snapshots = [first, second].map((eventId, version) => ({
        id: 'k0',
        eventId,
        body: String(version).repeat(4_500_000),
        version,
      }));
      await commit(from, { models: many, sources, snapshots });
      expect((await storage.readModels('p', seen)).map(({ body }) => Number(body)).toSorted((a, b) => a - b)).toEqual([
        0, 10_000, 10_499,
      ]);
      expect(await allSources('k0', null)).toHaveLength(sources.length);
      expect(await storage.readSnapshot('p', 'k0', second)).toMatchObject({ eventId: first, version: 0 });
      expect(await storage.readSnapshot('p', 'k0', behind)).toMatchObject({ eventId: second, version: 1 });
      const after = await storage.readProgress('p');
      expect(after.revision).toBe(from.revision + 1);
      const others = many.map(({ key }) => model(key, 'other'));
      await expect(commit(from, { models: others })).rejects.toThrow(PerspectiveMovedError);
      expect((await storage.readModels('p', seen)).map(({ body }) => body)).not.toContain('other');
    });

    it('know that something was kept although the place is the same', async () => {
      const from = await storage.readProgress('p');
      await commit(from, { to: from.sequence });
      await expect(commit(from)).rejects.toThrow(PerspectiveMovedError);
    });

    it('keep nothing in tables that were removed and made again meanwhile, whatever revision those have come to', async () => {
      const beside = besideName('p', newId());
      const keep = async (key: string, to: number, from: Progress): Promise<void> =>
        storage.commitPerspective({ ...nothing, perspective: beside, from, to, models: [model(key, 'x')] });
      await keep('first', 5, await storage.readProgress(beside));
      const from = await storage.readProgress(beside);
      await storage.removePerspective(beside);
      // Tables beside others begin at their revision: this one is made again where it was.
      await commit(await storage.readProgress('p'));
      await expect(keep('second', 9, from)).rejects.toThrow(PerspectiveMovedError);
      expect(await storage.readProgress(beside)).toEqual({ sequence: -1, revision: from.revision });
      const live = await storage.readProgress('p');
      const replaced = (async () => storage.replacePerspective('p', beside, live, from))();
      await expect(replaced).rejects.toThrow(PerspectiveMovedError);
    });

    it('put one in the place of another only when that is where it was', async () => {
      const from = await storage.readProgress('p');
      await storage.commitPerspective({
        ...nothing,
        perspective: 'beside',
        from: await storage.readProgress('beside'),
        to: 7,
        models: [model('k', 'new')],
      });
      await commit(from, { models: [model('old', 'old')] });
      const tryReplace = async (at: Progress, besideAt: Progress): Promise<void> =>
        storage.replacePerspective('p', 'beside', at, besideAt);
      const beside = await storage.readProgress('beside');
      await expect(tryReplace(from, beside)).rejects.toThrow(PerspectiveMovedError);
      const live = await storage.readProgress('p');
      await expect(tryReplace(live, { ...beside, revision: beside.revision - 1 })).rejects.toThrow(
        PerspectiveMovedError,
      );
      expect((await storage.listModels('p', anyOwner)).map(({ body }) => body)).toEqual(['old']);
      await tryReplace(live, beside);
      expect((await storage.listModels('p', anyOwner)).map(({ body }) => body)).toEqual(['new']);
      expect(await storage.readProgress('p')).toMatchObject({ sequence: 7 });
      expect(await storage.listModels('beside', anyOwner)).toEqual([]);
      // Whoever was about to keep something made of the old one cannot any more.
      await expect(commit(live)).rejects.toThrow(PerspectiveMovedError);
      // Nor can those take its place that have taken it, or were removed.
      const now = await storage.readProgress('p');
      await expect(tryReplace(now, beside)).rejects.toThrow(PerspectiveMovedError);
      expect((await storage.listModels('p', anyOwner)).map(({ body }) => body)).toEqual(['new']);
    });

    it('tell what is filled beside a perspective, and how far it is', async () => {
      const [left, empty] = [besideName('p', newId()), besideName('p', newId())];
      await storage.commitPerspective({ ...nothing, perspective: left, from: await storage.readProgress(left), to: 7 });
      await storage.readProgress(empty);
      await storage.readProgress('q');
      await storage.readProgress(besideName('q', newId()));
      const besides = await storage.readBesides('p');
      expect(besides.toSorted((a, b) => b.sequence - a.sequence)).toEqual([
        { name: left, sequence: 7, isAlike: true },
        { name: empty, sequence: -1, isAlike: true },
      ]);
      await storage.removePerspective(left);
      expect((await storage.readBesides('p')).map(({ name }) => name)).toEqual([empty]);
    });

    it('forget everything when cleared, and whoever was under way cannot keep anything', async () => {
      const eventId = newId();
      await commit(await storage.readProgress('p'), {
        models: [model('k', '1')],
        sources: [{ ...sourceOf('k', newId()), lastEventId: eventId }],
        snapshots: [{ id: 'k', eventId, body: '1', version: 100 }],
        stopped: [{ streamId: newId(), eventId, position: 0, errorName: 'E', errorMessage: '', attempts: 1 }],
      });
      const before = await storage.readProgress('p');
      await storage.clearPerspective('p');
      expect(await storage.readProgress('p')).toMatchObject({ sequence: -1 });
      expect(await storage.listModels('p', anyOwner)).toEqual([]);
      expect(await storage.readStopped('p')).toEqual([]);
      expect(await allSources('k', null)).toEqual([]);
      expect(await storage.readSnapshot('p', 'k', newId())).toBeNull();
      await expect(commit(before)).rejects.toThrow(PerspectiveMovedError);
    });

    it('list models in the order of their keys, those with a body, of the owner asked for', async () => {
      const models = [model('c', '3'), model('a', '1', 'b'), model('d', null), model('b', '2')];
      await commit(await storage.readProgress('p'), { models });
      const bodies = async (page: Parameters<PerspectiveStorage['listModels']>[1]) =>
        (await storage.listModels('p', page)).map(({ body }) => body);
      expect(await bodies(anyOwner)).toEqual(['1', '2', '3']);
      expect(await bodies({ ...anyOwner, offset: 1, limit: 1 })).toEqual(['2']);
      const ofOwner = (tenantId: string) => ({ ...anyOwner, owner: { owner: tenantId, values: { tenantId } } });
      expect(await bodies(ofOwner('a'))).toEqual(['2', '3']);
      expect(await bodies(ofOwner('c'))).toEqual([]);
      expect(await storage.readModels('p', ['d'])).toHaveLength(1);
    });

    it('tell models of one key apart by their owners, and list all of them page by page', async () => {
      const own = (key: string, tenantId: string) => ({
        ...model(key, `${key}${tenantId}`, tenantId),
        id: `${key}\u001f${tenantId}`,
      });
      const models = ['a', 'b', 'c'].flatMap((key) => ['t', 'u', 'v'].map((tenantId) => own(key, tenantId)));
      await commit(await storage.readProgress('p'), { models });
      const found = await storage.findModels('p', 'b', 10);
      expect(new Set(found.map(({ body }) => body))).toEqual(new Set(['bt', 'bu', 'bv']));
      expect(await storage.findModels('p', 'b', 2)).toHaveLength(2);
      expect(await storage.findModels('p', 'nothing', 2)).toEqual([]);
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
        expect(seen).toEqual(descending ? all.toReversed() : all);
      }
    });

    it('list the models of any number of owners', async () => {
      const owners = Array.from({ length: 120 }, (_, i) => `t${String(i).padStart(3, '0')}`);
      const models = owners.map((owner, i) => model(`k${String(119 - i).padStart(3, '0')}`, owner, owner));
      await commit(await storage.readProgress('p'), { models });
      const found = await storage.listModels('p', { ...anyOwner, limit: 3 });
      expect(found.map(({ body }) => body)).toEqual(['t119', 't118', 't117']);
      const last = { key: 'k116', value: 'k116', owner: 't003' };
      const next = await storage.listModels('p', { ...anyOwner, limit: 3, after: last });
      expect(next.map(({ body }) => body)).toEqual(['t002', 't001', 't000']);
    });

    it('know where the events of a model are, and the models of a stream', async () => {
      const [first, second, third] = ids(3);
      const [a, b] = ids(2);
      const ofA = { ...sourceOf('k', a!), events: 0b101, lastEventId: third! };
      const ofB = { ...sourceOf('k', b!), block: 31_250, events: 2 ** 31, lastEventId: first! };
      await commit(await storage.readProgress('p'), { sources: [ofA, ofB] });
      const more = { ...ofA, events: 0b110, lastEventId: second! };
      const others = [{ ...ofA, block: 1 }, sourceOf('l', a!)];
      await commit(await storage.readProgress('p'), { sources: [more, ...others] });
      const known = { ...ofA, events: 0b111 };
      expect(await allSources('k', null)).toEqual(inOrder([known, ofB, others[0]!]));
      expect(await allSources('k', second!)).toEqual(inOrder([known, others[0]!]));
      expect((await storage.readModelIds('p', a!)).toSorted()).toEqual(['k', 'l']);
      expect(await storage.readModelIds('p', b!)).toEqual(['k']);
    });

    it('show the sources of a model page by page, those of later blocks first, however few of them are asked for', async () => {
      const [streamId, old, recent] = ids(3);
      const blocks = Array.from({ length: 2 * sourcesPerPage + 500 }, (_, block) => block);
      const isRecent = (block: number): boolean => block % 1_000 === 400;
      const sources = blocks.map((block) => sourceOf('k', streamId!, block, isRecent(block) ? recent! : old!));
      await commit(await storage.readProgress('p'), { sources });
      const found: number[] = [];
      let next: SourceKey | null = null;
      do {
        const page: SourcePage = await storage.readSources('p', 'k', old!, next);
        found.push(...page.sources.map(({ block }) => block).toSorted((x, y) => y - x));
        ({ next } = page);
      } while (next !== null);
      expect(found).toEqual([2_400, 1_400, 400]);
    });

    it('store open rewinds by lane, and commit nothing when a rewind is not what was read', async () => {
      const begun: OpenRewind = {
        streamId: newId(),
        startedAt: 1_700_000_000_000,
        upTo: { sequence: 7, transaction: 12 },
        perspectiveNames: [],
        eventsReplayed: 0,
      };
      const changed = { ...begun, perspectiveNames: ['p'], eventsReplayed: 3 };
      const commitRewinds = async (known: OpenRewind[], open: OpenRewind[], body: string): Promise<void> =>
        await commit(await storage.readProgress('p'), {
          models: [model('k', body)],
          rewinds: { lane: 'a', known, open },
        });
      await commitRewinds([], [begun], '1');
      expect(await storage.readRewinds('a')).toEqual([begun]);
      expect(await storage.readRewinds('b')).toEqual([]);
      for (const [known, open] of [
        [[], [changed]],
        [[changed], []],
        [[changed], [begun]],
      ] as const) {
        await expect(commitRewinds([...known], [...open], '2')).rejects.toThrow(PerspectiveMovedError);
      }
      await commitRewinds([begun], [changed], '3');
      expect(await storage.readRewinds('a')).toEqual([changed]);
      await commitRewinds([changed], [], '4');
      expect(await storage.readRewinds('a')).toEqual([]);
      expect((await storage.readModels('p', ['k']))[0]!.body).toBe('4');
      expect(await storage.readProgress('p')).toMatchObject({ sequence: 2 });
    });

    it('find the newest snapshot before an event, keep five, and drop what a rewind made wrong', async () => {
      const all = ids(10);
      const snapshot = (i: number) => ({ id: 'k', eventId: all[i]!, body: String(i), version: i });
      const nearest = async (i: number) => (await storage.readSnapshot('p', 'k', all[i]!))?.body;
      await commit(await storage.readProgress('p'), { snapshots: [0, 1, 2, 3, 4, 5, 6].map(snapshot) });
      expect([await nearest(9), await nearest(6), await nearest(3), await nearest(2)]).toEqual([
        '6',
        '5',
        '2',
        undefined,
      ]);
      const rewound = [{ id: 'k', afterEventId: all[3]! }];
      await commit(await storage.readProgress('p'), { rewound, snapshots: [snapshot(4)] });
      expect([await nearest(9), await nearest(4)]).toEqual(['4', '3']);
      await commit(await storage.readProgress('p'), { rewound: [{ id: 'k', afterEventId: null }] });
      expect(await nearest(9)).toBeUndefined();
    });
  });
}

function inOrder(sources: readonly ModelSource[]): ModelSource[] {
  return sources.toSorted((a, b) => (a.streamId === b.streamId ? a.block - b.block : a.streamId < b.streamId ? -1 : 1));
}
