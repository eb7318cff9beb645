import assert from 'node:assert/strict';
import type { Uuid } from '../json/index.js';
import { newId, SystemEventStream } from '../messages/index.js';
import { comparePlaces, ConcurrencyConflictError, plainMessage, type EventRecord } from '../storage/index.js';
import { collect, commitRecord, pendingRecord, randomText } from './records.js';
import type { StorageCase } from './storage-case.js';

/** The stored fields; a record may be of any class. */
function fieldsOf(event: EventRecord): EventRecord {
  return { ...plainMessage(event), streamId: event.streamId };
}

/** Sequential appends and reads. */
export const eventCases: readonly StorageCase[] = [
  {
    name: 'reads the events of a stream at given positions, in order, and omits missing positions',
    async run(open) {
      const storage = await open();
      const [stream, other] = [newId(), newId()];
      const events = Array.from({ length: 1_200 }, (_, i) => pendingRecord(i % 3 === 0 ? other : stream));
      await storage.commit(commitRecord({ events }));
      const large = pendingRecord(stream, { body: JSON.stringify('x'.repeat(300_000)) });
      await storage.commit(commitRecord({ events: [large, pendingRecord(stream)] }));
      const own = [...events.filter(({ streamId }) => streamId === stream), large].map(({ id }) => id);
      const read = async (positions: readonly number[]): Promise<Uuid[]> =>
        (await collect(storage.readPositions(stream, positions))).map(({ id }) => id);
      assert.deepEqual(await read([]), []);
      assert.deepEqual(await read([1, 5, 799]), [own[1], own[5], own[799]]);
      assert.deepEqual(await read(own.map((_, position) => position)), own);
      assert.deepEqual(await read([0, 800, 900, 1_000]), [own[0], own[800]]);
    },
  },
  {
    name: 'returns every field of the stored events, in order',
    async run(open) {
      const storage = await open();
      const [a, b] = [newId(), newId()];
      const events = [
        pendingRecord(a, {
          type: 'test.One',
          causationId: newId(),
          scope: { tenantId: 't', userId: null },
          metadata: { n: 1 },
        }),
        pendingRecord(b, { timestamp: 0 }),
        pendingRecord(a, { body: '{"b":1,  "a":[2.50]}', timestamp: Date.now() }),
      ];
      await storage.commit(commitRecord({ events }));
      const all = await collect(storage.readAll());
      for (const [i, event] of events.entries()) {
        assert.deepEqual(fieldsOf(all[i]!), fieldsOf(event));
        assert.equal(all[i]!.position, [0, 0, 1][i]);
      }
      assert.deepEqual(await collect(storage.readStream(a)), [all[0], all[2]]);
      assert.deepEqual(await collect(storage.readStream(a, 1)), [all[2]]);
      assert.deepEqual(await collect(storage.readStream(a, 2)), []);
      assert.deepEqual(await collect(storage.readStream(newId())), []);
    },
  },
  {
    name: 'returns the last position of a stream and the position of an event',
    async run(open) {
      const storage = await open();
      const [a, b] = [newId(), newId()];
      const events = [pendingRecord(a), pendingRecord(a), pendingRecord(b)];
      await storage.commit(commitRecord({ events }));
      assert.deepEqual([await storage.lastPosition(a), await storage.lastPosition(newId())], [1, -1]);
      assert.equal(await storage.positionOf(a, events[1]!.id), 1);
      assert.equal(await storage.positionOf(b, events[1]!.id), -1, 'an event of another stream');
      assert.equal(await storage.positionOf(a, newId()), -1, 'an unknown event');
    },
  },
  {
    name: 'finds an event by its id, with any size, also in the system stream',
    async run(open) {
      const storage = await open();
      const [a, b] = [newId(), newId()];
      const events = [
        pendingRecord(a, { causationId: newId(), scope: { tenantId: 't', userId: null }, metadata: { n: 1 } }),
        pendingRecord(SystemEventStream.streamId, { body: JSON.stringify(randomText()) }),
        pendingRecord(b),
        pendingRecord(a, { body: JSON.stringify('x'.repeat(5_000_000)) }),
        pendingRecord(SystemEventStream.streamId),
      ];
      assert.equal(await storage.findEvent(events[0]!.id), null);
      for (const event of events) await storage.commit(commitRecord({ events: [event] }));
      const all = await collect(storage.readAll());
      for (const [i, { id }] of events.entries()) assert.deepEqual(await storage.findEvent(id), all[i]);
      assert.equal(await storage.findEvent(newId()), null);
      const later = pendingRecord(b);
      await storage.commit(commitRecord({ events: [later] }));
      assert.equal((await storage.findEvent(later.id))?.position, 1);
    },
  },
  {
    name: 'reads events of any size, each once',
    async run(open) {
      const storage = await open();
      const stream = newId();
      const bodies = [randomText(), 'x'.repeat(1_000_000), 'small'].map((text) => JSON.stringify(text));
      const events = Array.from({ length: 7 }, (_, i) => pendingRecord(stream, { body: bodies[i % 3]! }));
      await storage.commit(commitRecord({ events }));
      const expected = events.map(({ body }) => body);
      for (const read of [storage.readStream(stream), storage.readAll()]) {
        assert.deepEqual(
          (await collect(read)).map(({ body }) => body),
          expected,
        );
      }
    },
  },
  {
    name: 'continues reading after any event',
    async run(open) {
      const storage = await open();
      const stream = newId();
      for (let i = 0; i < 5; i++)
        await storage.commit(commitRecord({ events: [pendingRecord(stream), pendingRecord(newId())] }));
      const all = await collect(storage.readAll());
      assert.equal(new Set(all.map(({ sequence }) => sequence)).size, 10);
      for (const [i, { sequence }] of all.entries()) {
        assert.deepEqual(await collect(storage.readAll(sequence)), all.slice(i + 1));
      }
    },
  },
  {
    name: 'finds the place of the event with a sequence number, and compares places in log order',
    async run(open) {
      const storage = await open();
      for (let i = 0; i < 3; i++) await storage.commit(commitRecord({ events: [pendingRecord(newId())] }));
      const all = await collect(storage.readAll());
      const places = await Promise.all(all.map(({ sequence }) => storage.placeAt(sequence)));
      for (const [i, place] of places.entries()) {
        assert.equal(comparePlaces(place, all[i]!), 0);
        if (i > 0) assert.ok(comparePlaces(places[i - 1]!, place) < 0);
      }
    },
  },
  {
    name: 'reports no transaction that blocks reading if there is none',
    async run(open) {
      assert.equal(await (await open()).readingStall(), null);
    },
  },
  {
    name: 'stores any text unchanged',
    async run(open) {
      const storage = await open();
      const stream = newId();
      const odd = { nul: 'a\u0000b', half: '\ud800', quote: '"\\', emoji: '😀', line: '\u2028' };
      const bodies = [
        JSON.stringify(odd),
        '"\\u0000"',
        '12345678901234567890.10',
        JSON.stringify('x'.repeat(1_000_000)),
      ];
      const scope = { tenantId: odd.nul, userId: odd.half };
      const events = bodies.map((body) => pendingRecord(stream, { body, scope, metadata: odd }));
      await storage.commit(commitRecord({ events }));
      const stored = await collect(storage.readStream(stream));
      assert.deepEqual(
        stored.map(({ body }) => body),
        bodies,
      );
      assert.deepEqual([stored[0]!.scope, stored[0]!.metadata], [scope, odd]);
      const fields = { metadata: odd, scope: { tenantId: 'a' }, sameTenant: true };
      const next = newId();
      for (const streamId of [stream, next, next]) {
        await storage.commit(commitRecord({ events: [pendingRecord(streamId, { metadata: odd })] }));
      }
      assert.equal(await storage.lastPosition(stream), bodies.length, 'and continues after it');
      assert.equal(await storage.lastPosition(next), 1);
      const owned = newId();
      for (let i = 0; i < 3; i++) await storage.commit(commitRecord({ events: [pendingRecord(owned, fields)] }));
      assert.equal(await storage.tenantOf(owned), 'a');
    },
  },
  {
    name: 'stores events and messages as committed, also if the calling code changes them afterwards',
    async run(open) {
      const storage = await open();
      const [metadata, scope] = [{ note: { text: 'true' } }, { tenantId: 'a' }];
      const event = pendingRecord(newId(), { metadata, scope });
      const about = { id: newId(), lane: 'transport', destination: 'test.topic', note: null } as const;
      const message = { ...plainMessage(event), id: about.id };
      await storage.commit(commitRecord({ events: [event], outgoing: [{ ...about, message, eventId: null }] }));
      metadata.note.text = scope.tenantId = 'changed';
      const [outgoing] = await storage.readOutgoing('transport', 1);
      for (const stored of [await storage.findEvent(event.id), outgoing!.message]) {
        assert.deepEqual([stored!.metadata, stored!.scope], [{ note: { text: 'true' } }, { tenantId: 'a' }]);
      }
    },
  },
  {
    name: 'commits nothing of a record if the expected position of one stream is stale',
    async run(open) {
      const storage = await open();
      const [a, b] = [newId(), newId()];
      const events = [
        pendingRecord(a, { expectedPosition: -1 }),
        pendingRecord(a, { expectedPosition: 0 }),
        pendingRecord(b, { expectedPosition: 7 }),
      ];
      await assert.rejects(
        async () => await storage.commit(commitRecord({ events })),
        (error) =>
          error instanceof ConcurrencyConflictError &&
          error.streamId === b &&
          error.expectedPosition === 7 &&
          error.actualPosition === -1,
      );
      assert.deepEqual(await collect(storage.readAll()), []);
      await storage.commit(commitRecord({ events: events.slice(0, 2) }));
      assert.equal(await storage.lastPosition(a), 1);
    },
  },
  {
    name: 'counts earlier events of the same record for the expected position',
    async run(open) {
      const storage = await open();
      const stream = newId();
      await storage.commit(commitRecord({ events: [pendingRecord(stream)] }));
      const events = [pendingRecord(stream), pendingRecord(stream, { expectedPosition: 0 })];
      await assert.rejects(
        async () => await storage.commit(commitRecord({ events })),
        (error) => error instanceof ConcurrencyConflictError && error.actualPosition === 1,
      );
      assert.equal(await storage.lastPosition(stream), 0);
    },
  },
  {
    name: 'commits a record of thousands of events, and reads all of them',
    async run(open) {
      const storage = await open();
      const stream = newId();
      const events = Array.from({ length: 3_000 }, (_, i) => pendingRecord(stream, { body: String(i) }));
      await storage.commit(commitRecord({ events }));
      const bodies = events.map(({ body }) => body);
      assert.deepEqual(
        (await collect(storage.readStream(stream))).map(({ body }) => body),
        bodies,
      );
      assert.deepEqual(
        (await collect(storage.readAll())).map(({ body }) => body),
        bodies,
      );
    },
  },
  {
    name: 'commits an empty record',
    async run(open) {
      const storage = await open();
      await storage.commit(commitRecord({}));
      assert.deepEqual(await collect(storage.readAll()), []);
    },
  },
  {
    name: 'returns stored events to other hosts on the same database',
    async run(open) {
      const [one, other] = [await open(), await open()];
      const stream = newId();
      await one.commit(commitRecord({ events: [pendingRecord(stream)] }));
      await other.commit(commitRecord({ events: [pendingRecord(stream, { expectedPosition: 0 })] }));
      assert.deepEqual(await collect(one.readStream(stream)), await collect(other.readAll()));
      assert.equal(await one.lastPosition(stream), 1);
    },
  },
];
