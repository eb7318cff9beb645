/** When rewind events are committed: before models change, and with them. */
import {
  newId,
  PerspectiveRewindCompleted,
  PerspectiveRewindStarted,
  StreamRewindCompleted,
  StreamRewindStarted,
  type Service,
  type Uuid,
} from '@svc/core';
import { type PerspectiveCommit } from '@svc/core/storage';
import { beforeEach, describe, expect, it } from 'vitest';
import { append, ids, NoteTrace, OrderTrace, shopWith, traces } from './perspective-shop.js';
import { areWhole, rewindsOf as rewindEventsOf } from './rewind-sequences.js';
import { describeStores, type DurableStorage } from './storages.js';

const letters = new Map<unknown, string>([
  [StreamRewindStarted, 'started'],
  [PerspectiveRewindStarted, 'started'],
  [PerspectiveRewindCompleted, 'completed'],
  [StreamRewindCompleted, 'completed'],
]);

/** The rewind events of a stream, in their order. */
async function rewindsOf(service: Service, streamId: Uuid): Promise<string[]> {
  const events = (await rewindEventsOf(service, streamId)) as { perspectiveName?: string }[];
  return events.map((event) => `${event.perspectiveName ?? 'stream'} ${letters.get(event.constructor)}`);
}

/** Has a say in each commit before it is made. */
function intercept(storage: DurableStorage, before: (commit: PerspectiveCommit) => void): void {
  const commit = storage.perspectives.commitPerspective.bind(storage.perspectives);
  Object.assign(storage.perspectives, {
    commitPerspective: async (changes: PerspectiveCommit) => {
      before(changes);
      await commit(changes);
    },
  });
}

const whole = [
  'stream started',
  'OrderTrace started',
  'OrderTrace completed',
  'NoteTrace started',
  'NoteTrace completed',
  'stream completed',
];

describeStores((stores) => {
  let storage: DurableStorage;
  let service: Service;
  const streamId = newId();
  let late: Uuid;
  beforeEach(async () => {
    storage = (await stores.fresh())();
    service = shopWith(traces, storage)
      .reportTo(() => {})
      .start();
    await service.ready();
    const all = ids(3);
    late = all[1]!;
    await append(service, streamId, 'x', all[0]);
    await append(service, streamId, 'x', all[2]);
    await service.idle();
  });

  describe('StreamRewindStarted once per stream before any per-perspective rewind', () => {
    it('is stored before the first model changes, and the end of each rewind with its models', async () => {
      const commits: string[] = [];
      intercept(storage, ({ models, outgoing = [] }) => {
        const types = outgoing.map(({ message }) => message!.type.replace('svc.', ''));
        if (types.length > 0) commits.push(`${models.length} models: ${types.join(', ')}`);
      });
      await append(service, streamId, 'x', late);
      await service.idle();
      expect(commits).toEqual([
        '0 models: StreamRewindStarted, PerspectiveRewindStarted',
        '1 models: PerspectiveRewindCompleted',
        '0 models: PerspectiveRewindStarted',
        '1 models: PerspectiveRewindCompleted, StreamRewindCompleted',
      ]);
      expect(await rewindsOf(service, streamId)).toEqual(whole);
    });

    it('is emitted once for perspectives at different places, and StreamRewindCompleted once after all of them', async () => {
      let isHeldUp = true;
      intercept(storage, ({ perspective }) => {
        if (isHeldUp && perspective === 'NoteTrace') throw new Error('It is held up.');
      });
      await append(service, streamId, 'x', late);
      await service.lens(OrderTrace).waitFor(late, { timeoutMs: 30_000 });
      await expect.poll(() => rewindsOf(service, streamId), { timeout: 30_000 }).toEqual(whole.slice(0, 3));
      isHeldUp = false;
      await append(service, newId(), 'y');
      await expect.poll(() => rewindsOf(service, streamId), { timeout: 30_000 }).toEqual(whole);
      expect((await service.lens(NoteTrace).find('x'))!.ids[1]).toBe(late);
    });

    it('is not emitted again when a perspective must restart its rewind, which completes once', async () => {
      let failures = 2;
      intercept(storage, ({ perspective, models }) => {
        if (perspective === 'OrderTrace' && models.length > 0 && failures-- > 0) throw new Error('It failed.');
      });
      await append(service, streamId, 'x', late);
      await expect.poll(() => rewindsOf(service, streamId), { timeout: 30_000 }).toContain('stream completed');
      const all = await rewindsOf(service, streamId);
      expect(all.filter((one) => one === 'OrderTrace started')).toHaveLength(3);
      expect(all.filter((one, i) => all.indexOf(one) === i).toSorted()).toEqual(whole.toSorted());
      expect(all.filter((one) => one !== 'OrderTrace started')).toHaveLength(5);
      expect([all[0], all.at(-1)]).toEqual(['stream started', 'stream completed']);
    });

    it('completes the rewind of a perspective whose models a rebuild replaces, before that of the stream', async () => {
      let isHeldUp = true;
      intercept(storage, ({ perspective, models, rewinds }) => {
        if (isHeldUp && perspective === 'OrderTrace' && models.length > 0 && rewinds !== undefined) {
          throw new Error('It is held up.');
        }
      });
      await append(service, streamId, 'x', late);
      await expect.poll(() => rewindsOf(service, streamId), { timeout: 30_000 }).toContain('NoteTrace completed');
      await service.rebuildPerspective(OrderTrace);
      isHeldUp = false;
      await append(service, newId(), 'y');
      await expect.poll(() => rewindsOf(service, streamId), { timeout: 30_000 }).toContain('stream completed');
      const all = await rewindsOf(service, streamId);
      expect(all.filter((one) => one !== 'OrderTrace started')).toEqual([
        'stream started',
        'NoteTrace started',
        'NoteTrace completed',
        'OrderTrace completed',
        'stream completed',
      ]);
      expect(all).toContain('OrderTrace started');
      const sequence = await rewindEventsOf(service, streamId);
      expect(areWhole(sequence)).toBe(true);
      const completed = sequence.findLast((event) => event instanceof PerspectiveRewindCompleted);
      expect(completed).toMatchObject({ perspectiveName: 'OrderTrace', triggeringEventId: late, eventsReplayed: 0 });
      expect((await service.lens(OrderTrace).find(streamId))!.ids[1]).toBe(late);
    });
  });
});
