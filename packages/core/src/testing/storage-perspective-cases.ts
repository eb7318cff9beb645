import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import { newTables, PerspectiveMovedError, type OpenRewind, type Progress } from '../storage/index.js';
import {
  allSources,
  anyOwner,
  commitBatch,
  modelRecord,
  modelSource,
  openedPerspectives,
} from './perspective-records.js';
import { commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-case.js';

/** What the capability `perspectives` adds for batches, progress and tables. */
export const perspectiveCases: readonly StorageCase[] = [
  {
    name: 'starts with empty perspectives',
    async run(open) {
      const storage = await openedPerspectives(open);
      assert.equal((await storage.readProgress('p')).sequence, -1);
      assert.deepEqual(await storage.listModels('p', anyOwner), []);
      assert.equal(await storage.readSnapshot('p', 'k', newId()), null);
    },
  },
  {
    name: 'commits a batch of a perspective only if no other one was committed since it was read',
    async run(open) {
      const storage = await openedPerspectives(open);
      const from = await storage.readProgress('p');
      await commitBatch(storage, from, { models: [modelRecord('k', '1')] });
      const models = [modelRecord('k', '2'), modelRecord('l', '2')];
      await assert.rejects(() => commitBatch(storage, from, { models, to: 9 }), PerspectiveMovedError);
      const stored = await storage.readModels('p', ['k', 'l']);
      assert.deepEqual(
        stored.map(({ body }) => body),
        ['1'],
      );
      assert.equal((await storage.readProgress('p')).sequence, 0);
    },
  },
  {
    name: 'commits any number of models with their sources and snapshots, or none of them',
    async run(open) {
      const storage = await openedPerspectives(open);
      const from = await storage.readProgress('p');
      const many = Array.from({ length: 10_500 }, (_, i) => modelRecord(`k${i}`, String(i)));
      const seen = [many[0]!, many[10_000]!, many[10_499]!].map(({ key }) => key);
      const sources = many.map(({ lastEventId }) => modelSource('k0', newId(), 0, lastEventId));
      const [first, second, behind] = [newId(), newId(), newId()];
      const snapshots = [first, second].map((eventId, version) => {
        return { id: 'k0', eventId, body: String(version).repeat(4_500_000), version };
      });
      await commitBatch(storage, from, { models: many, sources, snapshots });
      const bodies = async (): Promise<number[]> =>
        (await storage.readModels('p', seen)).map(({ body }) => Number(body)).toSorted((a, b) => a - b);
      assert.deepEqual(await bodies(), [0, 10_000, 10_499]);
      assert.equal((await allSources(storage, 'k0', null)).length, sources.length);
      for (const [before, eventId, version] of [
        [second, first, 0],
        [behind, second, 1],
      ] as const) {
        const snapshot = await storage.readSnapshot('p', 'k0', before);
        assert.deepEqual([snapshot?.eventId, snapshot?.version], [eventId, version]);
      }
      assert.equal((await storage.readProgress('p')).revision, from.revision + 1);
      const others = many.map(({ key }) => modelRecord(key, 'other'));
      await assert.rejects(() => commitBatch(storage, from, { models: others }), PerspectiveMovedError);
      assert.deepEqual(await bodies(), [0, 10_000, 10_499]);
    },
  },
  {
    name: 'recognizes a committed batch, also if the perspective is at the same event',
    async run(open) {
      const storage = await openedPerspectives(open);
      const from = await storage.readProgress('p');
      await commitBatch(storage, from, { to: from.sequence });
      await assert.rejects(() => commitBatch(storage, from), PerspectiveMovedError);
    },
  },
  {
    name: 'commits nothing to tables that were removed and created again, at any revision',
    async run(open) {
      const storage = await openedPerspectives(open);
      const rebuilding = newTables('p', 'rebuilding');
      const commit = (key: string, to: number, from: Progress): Promise<void> =>
        commitBatch(storage, from, { tables: rebuilding, to, models: [modelRecord(key, 'x')] });
      await commit('first', 5, await storage.readProgress(rebuilding));
      const from = await storage.readProgress(rebuilding);
      await storage.removeTables(rebuilding);
      // Tables of a rebuild begin at the revision of those that serve: these are created again at the revision they had.
      await commitBatch(storage, await storage.readProgress('p'));
      await assert.rejects(() => commit('second', 9, from), PerspectiveMovedError);
      const { sequence, revision } = await storage.readProgress(rebuilding);
      assert.deepEqual({ sequence, revision }, { sequence: -1, revision: from.revision });
      const live = await storage.readProgress('p');
      await assert.rejects(
        async () => await storage.replacePerspective('p', rebuilding, live, from),
        PerspectiveMovedError,
      );
    },
  },
  {
    name: 'replaces a perspective by another only if neither has changed since it was read',
    async run(open) {
      const storage = await openedPerspectives(open);
      const bodies = async (): Promise<(string | null)[]> =>
        (await storage.listModels('p', anyOwner)).map(({ body }) => body);
      const from = await storage.readProgress('p');
      const models = [modelRecord('k', 'new')];
      await commitBatch(storage, await storage.readProgress('next'), { perspective: 'next', to: 7, models });
      await commitBatch(storage, from, { models: [modelRecord('old', 'old')] });
      const replace = async (at: Progress, nextAt: Progress): Promise<void> =>
        await storage.replacePerspective('p', 'next', at, nextAt);
      const next = await storage.readProgress('next');
      await assert.rejects(() => replace(from, next), PerspectiveMovedError);
      const live = await storage.readProgress('p');
      const earlier = { ...next, revision: next.revision - 1 };
      await assert.rejects(() => replace(live, earlier), PerspectiveMovedError);
      assert.deepEqual(await bodies(), ['old']);
      await replace(live, next);
      assert.deepEqual(await bodies(), ['new']);
      assert.equal((await storage.readProgress('p')).sequence, 7);
      assert.deepEqual(await storage.listModels('next', anyOwner), []);
      await assert.rejects(() => commitBatch(storage, live), PerspectiveMovedError, 'a batch of the old models');
      // Tables that already serve, or were removed, cannot replace the serving ones.
      const now = await storage.readProgress('p');
      await assert.rejects(() => replace(now, next), PerspectiveMovedError);
      assert.deepEqual(await bodies(), ['new']);
    },
  },
  {
    name: 'lists the tables that are being rebuilt for a perspective, and their progress',
    async run(open) {
      const storage = await openedPerspectives(open);
      const [left, empty] = [newTables('p', 'rebuilding'), newTables('p', 'rebuilding')];
      await commitBatch(storage, await storage.readProgress(left), { tables: left, to: 7 });
      for (const tables of [empty, 'q', newTables('q', 'rebuilding')]) await storage.readProgress(tables);
      const rebuilding = await storage.readRebuilding('p');
      assert.deepEqual(
        rebuilding.toSorted((a, b) => b.sequence - a.sequence),
        [
          { tables: left, sequence: 7, isAlike: true },
          { tables: empty, sequence: -1, isAlike: true },
        ],
      );
      await storage.removeTables(left);
      assert.deepEqual(
        (await storage.readRebuilding('p')).map(({ tables }) => tables),
        [empty],
      );
    },
  },
  {
    name: 'deletes everything of a cleared perspective, and rejects batches that were read before',
    async run(open) {
      const storage = await openedPerspectives(open);
      const eventId = newId();
      await commitBatch(storage, await storage.readProgress('p'), {
        models: [modelRecord('k', '1')],
        sources: [modelSource('k', newId(), 0, eventId)],
        snapshots: [{ id: 'k', eventId, body: '1', version: 100 }],
        stopped: [{ streamId: newId(), eventId, position: 0, errorName: 'E', errorMessage: '', attempts: 1 }],
      });
      const before = await storage.readProgress('p');
      await storage.clearPerspective('p');
      assert.equal((await storage.readProgress('p')).sequence, -1);
      assert.deepEqual(await storage.listModels('p', anyOwner), []);
      assert.deepEqual(await storage.readStopped('p'), []);
      assert.deepEqual(await allSources(storage, 'k', null), []);
      assert.equal(await storage.readSnapshot('p', 'k', newId()), null);
      await assert.rejects(() => commitBatch(storage, before), PerspectiveMovedError);
    },
  },
  {
    name: 'removes everything of one perspective, which then starts without events',
    async run(open) {
      const storage = await openedPerspectives(open);
      const rebuilding = newTables('p', 'rebuilding');
      for (const tables of ['p', 'q', rebuilding]) {
        const perspective = tables === 'q' ? 'q' : 'p';
        const from = await storage.readProgress(tables);
        const models = [modelRecord('k', 'stored')];
        const place = typeof tables === 'string' ? {} : { tables };
        await commitBatch(storage, from, { perspective, ...place, models });
      }
      await storage.removePerspective('p');
      const names = (await storage.readPerspectives()).map(({ perspective }) => perspective);
      assert.ok(!names.includes('p'));
      assert.equal((await storage.readProgress('p')).sequence, -1);
      assert.deepEqual(await storage.listModels('p', anyOwner), []);
      assert.deepEqual(await storage.readRebuilding('p'), []);
      assert.equal((await storage.listModels('q', anyOwner)).length, 1);
    },
  },
  {
    name: 'stores open rewinds by lane, and commits nothing if a rewind has changed since it was read',
    async run(open) {
      const storage = await openedPerspectives(open);
      const begun: OpenRewind = {
        streamId: newId(),
        startedAt: 1_700_000_000_000,
        upTo: { sequence: 7, transaction: 12 },
        perspectiveNames: [],
        eventsReplayed: 0,
        begun: [
          { perspectiveName: 'p', triggeringEventId: newId(), startedAt: 7, finalEventId: newId(), eventsReplayed: 0 },
        ],
      };
      const changed = { ...begun, begun: [], perspectiveNames: ['p'], eventsReplayed: 3 };
      const commitRewinds = async (
        known: readonly OpenRewind[],
        started: readonly OpenRewind[],
        body: string,
      ): Promise<void> =>
        await commitBatch(storage, await storage.readProgress('p'), {
          models: [modelRecord('k', body)],
          rewinds: { lane: 'a', known, open: started },
        });
      await commitRewinds([], [begun], '1');
      assert.deepEqual(await storage.readRewinds('a'), [begun]);
      assert.deepEqual(await storage.readRewinds('b'), []);
      for (const [known, started] of [
        [[], [changed]],
        [[changed], []],
        [[changed], [begun]],
      ] as const) {
        await assert.rejects(() => commitRewinds(known, started, '2'), PerspectiveMovedError);
      }
      await commitRewinds([begun], [changed], '3');
      assert.deepEqual(await storage.readRewinds('a'), [changed]);
      await commitRewinds([changed], [], '4');
      assert.deepEqual(await storage.readRewinds('a'), []);
      assert.equal((await storage.readModels('p', ['k']))[0]!.body, '4');
      assert.equal((await storage.readProgress('p')).sequence, 2);
    },
  },
  {
    name: 'lists its perspectives with their versions, places and lag',
    async run(open) {
      const storage = await open();
      const perspectives = storage.perspectives!;
      perspectives.define([
        { perspective: 'q', columns: [], version: '1' },
        { perspective: 'p', columns: [{ name: 'status', type: 'text' }], version: '2' },
      ]);
      const events = Array.from({ length: 5 }, (_, i) => pendingRecord(newId(), { timestamp: 1_700_000_000_000 + i }));
      for (const event of events) await storage.commit(commitRecord({ events: [event] }));
      const { sequence } = (await storage.findPlace(events[1]!.id))!;
      const stopped = {
        streamId: newId(),
        eventId: newId(),
        position: 0,
        errorName: 'E',
        errorMessage: '',
        attempts: 1,
      };
      await commitBatch(perspectives, await perspectives.readProgress('p'), { to: sequence, stopped: [stopped] });
      await perspectives.readProgress('q');
      assert.deepEqual(await perspectives.readPerspectives(), [
        { perspective: 'p', sequence, version: '2', indexed: ['status'] },
        { perspective: 'q', sequence: -1, version: '1', indexed: [] },
      ]);
      assert.deepEqual(await perspectives.ownPlace('p'), { perspective: 'p', role: 'serving', name: 'p' });
      const standings = await perspectives.readStandings(['p', 'q'], 4);
      assert.deepEqual(
        standings.toSorted((a, b) => (a.perspective < b.perspective ? -1 : 1)),
        [
          { perspective: 'p', sequence, stopped: 1, behind: 3, oldest: events[2]!.timestamp },
          { perspective: 'q', sequence: -1, stopped: 0, behind: 4, oldest: events[0]!.timestamp },
        ],
      );
    },
  },
];
