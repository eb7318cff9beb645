import assert from 'node:assert/strict';
import type { Uuid } from '../json/index.js';
import { newId, SystemEventStream } from '../messages/index.js';
import {
  MessageSettledError,
  ReactionTakenOverError,
  reactionSegmentOf,
  reactionSegments,
  type FailedStream,
  type ReactionSegment,
  type Storage,
  type StorageReactions,
} from '../storage/index.js';
import { collect, commitRecord, pendingRecord } from './records.js';
import type { StorageCase } from './storage-case.js';

const name = 'ChargeOnPlaced';
const segments = Array.from({ length: reactionSegments }, (_, segment) => segment);

function failure(streamId: Uuid, fields: Partial<FailedStream> = {}): FailedStream {
  return { streamId, position: 0, eventId: newId(), attempts: 1, errorName: 'Error', errorMessage: 'no', ...fields };
}

/** Begins a term of a reaction that starts at the beginning. */
async function begun(storage: Storage): Promise<{ reactions: StorageReactions; term: number }> {
  const reactions = storage.reactions!;
  assert.equal(await reactions.register(name, 'beginning'), true);
  return { reactions, term: await begin(reactions) };
}

/** Begins the same term of all segments. */
async function begin(reactions: StorageReactions, reaction: string = name): Promise<number> {
  return (await reactions.begin(reaction, segments))!.segments[0]!.term;
}

/** Moves all segments. The processed events belong to the first one. */
function advance(
  reactions: StorageReactions,
  term: number,
  sequence: number,
  passed: readonly Uuid[],
): Promise<boolean> {
  const moves = segments.map((segment) => ({ segment, term, passed: segment === 0 ? passed : [] }));
  return reactions.advance(name, sequence, moves);
}

async function appended(storage: Storage, streamId: Uuid = newId()): Promise<Uuid> {
  const event = pendingRecord(streamId);
  await storage.commit(commitRecord({ events: [event] }));
  return event.id;
}

/** Commits an event of a reaction. */
async function react(storage: Storage, term: number, eventId: Uuid, segment = 0): Promise<void> {
  const events = [pendingRecord(newId())];
  await storage.commit(commitRecord({ events, reacted: { reaction: name, segment, term, eventId } }));
}

async function countEvents(storage: Storage): Promise<number> {
  return (await collect(storage.readAll())).length;
}

/** What the capability `reactions` adds: places, terms and failed streams of reactions. */
export const reactionCases: readonly StorageCase[] = [
  {
    name: 'records the starting place of a reaction once: before all events, after the last one, or not without a declaration',
    async run(open) {
      const storage = await open();
      const reactions = storage.reactions!;
      const ownEvents = [
        pendingRecord(SystemEventStream.streamId),
        pendingRecord(newId(), { type: 'svc.TenantPlaced' }),
      ];
      await storage.commit(commitRecord({ events: ownEvents }));
      assert.equal(await reactions.register('Early', null), true, 'there are only events of svc');
      assert.equal((await reactions.find('Early'))!.segments[0]!.sequence, -1);
      await appended(storage);
      const last = (await collect(storage.readAll())).at(-1)!;
      assert.equal(await reactions.register('Undeclared', null), false);
      assert.equal(await reactions.find('Undeclared'), null);
      assert.equal(await reactions.register('Now', 'now'), true);
      assert.equal(await reactions.register('All', 'beginning'), true);
      const now = (await reactions.find('Now'))!;
      assert.deepEqual(
        now.segments.map(({ segment, sequence }) => [segment, sequence]),
        segments.map((segment) => [segment, last.sequence]),
      );
      assert.equal(now.startedAfter, last.sequence);
      assert.ok(Math.abs(now.startedAt - Date.now()) < 60_000);
      assert.equal(now.isPaused, false);
      assert.equal((await reactions.find('All'))!.segments[7]!.sequence, -1);

      await appended(storage);
      assert.equal(await reactions.register('Now', 'beginning'), true, 'it is recorded');
      assert.equal(await reactions.register('Early', null), true, 'it is recorded');
      assert.deepEqual(await reactions.find('Now'), now);
    },
  },
  {
    name: 'commits the changes of a reaction together with its event, once',
    async run(open) {
      const storage = await open();
      const { reactions, term } = await begun(storage);
      const eventId = await appended(storage);
      await react(storage, term, eventId);
      assert.equal(await countEvents(storage), 2);
      await assert.rejects(react(storage, term, eventId), MessageSettledError);
      await storage.commit(commitRecord({ reacted: { reaction: name, segment: 0, term, eventId: newId() } }));
      assert.equal(await countEvents(storage), 2);
      await reactions.register('Other', 'beginning');
      const other = { reaction: 'Other', segment: 0, term: await begin(reactions, 'Other'), eventId };
      await storage.commit(commitRecord({ events: [pendingRecord(newId())], reacted: other }));
      assert.equal(await countEvents(storage), 3, 'each reaction processes the event');
      const outcomes = await Promise.allSettled([newId(), eventId, newId()].map((id) => react(storage, term, id)));
      const statuses = outcomes.map(({ status }) => status);
      assert.deepEqual(statuses, ['fulfilled', 'rejected', 'fulfilled'], 'concurrent commits are not affected');
    },
  },
  {
    name: 'commits nothing for a host whose term has ended',
    async run(open) {
      const [storage, other] = [await open(), await open()];
      const { reactions, term } = await begun(storage);
      const [first, second] = [await appended(storage), await appended(storage)];
      await react(storage, term, first);
      const left = (await other.reactions!.begin(name, segments))!;
      const next = left.segments[0]!.term;
      assert.ok(next > term);
      assert.deepEqual(left.reacted, [first]);
      await assert.rejects(react(storage, term, second), ReactionTakenOverError);
      // The key of a processed event is forgotten when the place has passed it; the term still rejects the commit.
      const [place] = await collect(storage.readAll());
      assert.equal(await advance(other.reactions!, next, place!.sequence, [first]), true);
      await assert.rejects(react(storage, term, first), ReactionTakenOverError);
      assert.equal(await advance(reactions, term, place!.sequence, []), false);
      assert.equal(await reactions.suspend(name, term, failure(newId()), 0, []), false);
      assert.equal(await reactions.resume(name, term, newId(), []), false);
      assert.deepEqual((await reactions.readDue(name, segments, 10)).streams, []);
      await react(other, next, second);
      assert.equal(await countEvents(storage), 4);
      assert.equal(await reactions.begin('Unknown', segments), null);
    },
  },
  {
    name: 'begins one term after another when hosts begin concurrently, and lets only the last one commit',
    async run(open) {
      const storages = await Promise.all([open(), open(), open()]);
      await begun(storages[0]);
      const eventId = await appended(storages[0]);
      const numbers = await Promise.all(storages.map((storage) => begin(storage.reactions!)));
      assert.equal(new Set(numbers).size, 3);
      const outcomes = await Promise.allSettled(storages.map((storage, i) => react(storage, numbers[i]!, eventId)));
      const last = numbers.indexOf(Math.max(...numbers));
      assert.deepEqual(
        outcomes.map(({ status }) => status === 'fulfilled'),
        storages.map((_, i) => i === last),
      );
      assert.equal(await countEvents(storages[0]), 2);
    },
  },
  {
    name: 'has a place and a term for each segment, so that hosts share a reaction',
    async run(open) {
      const [storage, other] = [await open(), await open()];
      const { reactions, term } = await begun(storage);
      const streams = [newId(), newId()].map((id, i) => `${id.slice(0, -1)}${i}` as Uuid);
      const [first, second] = [await appended(storage, streams[0]), await appended(storage, streams[1])];
      const taken = (await other.reactions!.begin(name, [1, 3]))!.segments;
      assert.deepEqual(
        taken.map(({ segment }) => segment),
        [1, 3],
      );
      const [{ term: next }] = taken as [ReactionSegment];
      await react(storage, term, first, 0);
      await assert.rejects(react(storage, term, second, 1), ReactionTakenOverError);
      await react(other, next, second, 1);
      const [place] = await collect(storage.readAll());
      const moves = [
        { segment: 0, term, passed: [first] },
        { segment: 1, term, passed: [second] },
      ];
      assert.equal(await reactions.advance(name, place!.sequence, moves), false);
      const left = (await reactions.begin(name, [0, 1]))!;
      assert.deepEqual(
        left.segments.map(({ sequence }) => sequence),
        [place!.sequence, -1],
        'only the segment in its term has moved',
      );
      assert.deepEqual(left.reacted, [second], 'the event of the other segment is still recorded');
      assert.equal((await reactions.readStandings(10))[0]!.sequence, -1, 'the segment that is furthest behind');
    },
  },
  {
    name: 'records failed streams with the term of their segment, and finds those of some segments',
    async run(open) {
      const storage = await open();
      const { reactions, term } = await begun(storage);
      const [even, odd] = [newId(), newId()].map((id, i) => `${id.slice(0, -1)}${i}` as Uuid) as [Uuid, Uuid];
      const [{ term: next }] = (await reactions.begin(name, [1]))!.segments as [ReactionSegment];
      assert.equal(await reactions.suspend(name, term, failure(even), 0, []), true);
      assert.equal(await reactions.suspend(name, term, failure(odd), 0, []), false);
      assert.equal(await reactions.suspend(name, next, failure(odd), 0, []), true);
      const dueIn = async (...some: number[]): Promise<Uuid[]> =>
        (await reactions.readDue(name, some, 10)).streams.map(({ streamId }) => streamId);
      assert.deepEqual([await dueIn(0), await dueIn(1), await dueIn(2)], [[even], [odd], []]);
      assert.equal((await reactions.begin(name, [2, 3]))!.hasFailedStreams, false);
      assert.equal((await reactions.begin(name, [0, 3]))!.hasFailedStreams, true);
      assert.equal(await reactions.resume(name, term, odd, []), false);
      assert.equal(await reactions.resume(name, next, odd, []), true);
      assert.deepEqual(await dueIn(1), []);
    },
  },
  {
    name: 'moves the place of a reaction and forgets the processed events before it',
    async run(open) {
      const storage = await open();
      const { reactions, term } = await begun(storage);
      const [first, second] = [await appended(storage), await appended(storage)];
      await react(storage, term, first);
      await react(storage, term, second);
      const [place] = await collect(storage.readAll());
      assert.equal(await advance(reactions, term, place!.sequence, [first]), true);
      const [standing] = await reactions.readStandings(2);
      assert.equal(standing!.sequence, place!.sequence);
      assert.equal(standing!.behind, 2, 'it counts up to the limit');
      assert.equal(standing!.oldest, 1_700_000_000_123);
      const next = (await reactions.begin(name, segments))!;
      assert.equal(next.segments[7]!.sequence, place!.sequence);
      assert.deepEqual(next.reacted, [second]);
      assert.equal(next.hasFailedStreams, false);
    },
  },
  {
    name: 'stores the failed streams of a reaction, with the time of the next attempt',
    async run(open) {
      const storage = await open();
      const { reactions, term } = await begun(storage);
      const [due, later, parked] = [newId(), newId(), newId()];
      const processed = await appended(storage, due);
      await react(storage, term, processed, reactionSegmentOf(due));
      const first = failure(due, { errorMessage: 'ä"\\', position: 3, attempts: 2 });
      assert.equal(await reactions.suspend(name, term, first, 0, [processed]), true);
      await reactions.suspend(name, term, failure(later), 60_000, []);
      await reactions.suspend(name, term, failure(parked), 60_000, []);
      await reactions.suspend(name, term, failure(parked, { position: 7, attempts: 9 }), null, []);
      assert.deepEqual(await reactions.findFailed(name, [newId(), due]), [due]);
      const found = await reactions.readDue(name, segments, 10);
      assert.deepEqual(found.streams, [first]);
      assert.ok(found.nextInMs! > 50_000 && found.nextInMs! <= 60_000);
      const listed = await reactions.readFailed(name, null, 2);
      assert.deepEqual(
        listed.map(({ streamId }) => streamId),
        [due, later],
      );
      const [last] = await reactions.readFailed(name, later, 2);
      assert.deepEqual(
        { ...last, eventId: '' },
        { ...failure(parked), eventId: '', position: 7, attempts: 9, retryInMs: null },
      );
      const [standing] = await reactions.readStandings(10);
      assert.deepEqual([standing!.waiting, standing!.parked], [2, 1]);

      assert.equal(await reactions.resume(name, term, due, []), true);
      assert.deepEqual((await reactions.readDue(name, segments, 10)).streams, []);
      const next = (await reactions.begin(name, segments))!;
      assert.equal(next.hasFailedStreams, true);
      assert.deepEqual(next.reacted, []);
      assert.deepEqual(await reactions.readFailed('Other', null, 2), []);
    },
  },
  {
    name: 'lets operators retry and skip failed streams, and pause reactions, in a new term',
    async run(open) {
      const storage = await open();
      const { reactions, term } = await begun(storage);
      const [one, other] = [newId(), newId()];
      await reactions.suspend(name, term, failure(one, { position: 4, attempts: 5 }), null, []);
      await reactions.suspend(name, term, failure(other, { attempts: 5 }), null, []);
      assert.equal(await reactions.skip(name, newId()), false);
      assert.equal(await reactions.skip(name, one), true);
      const [skipped] = (await reactions.readDue(name, segments, 10)).streams;
      assert.deepEqual([skipped!.streamId, skipped!.position, skipped!.attempts], [one, 5, 0]);
      assert.equal(await reactions.retry(name, other), 1);
      assert.equal(await reactions.retry(name, newId()), 0);
      assert.equal(await reactions.retry(name, null), 2);
      assert.equal((await reactions.readDue(name, segments, 1)).streams.length, 1);
      assert.equal((await reactions.readDue(name, segments, 10)).streams.length, 2);
      assert.equal(await advance(reactions, term, -1, []), false, 'a new term has begun');
      assert.equal(await reactions.setPaused(name, true), true);
      assert.equal((await reactions.begin(name, segments))!.isPaused, true);
      assert.equal(await reactions.setPaused(name, false), true);
      assert.equal((await reactions.find(name))!.isPaused, false);
      assert.equal(await reactions.setPaused('Unknown', true), false);
    },
  },
];
