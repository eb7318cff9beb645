import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import { indexedAuditTypes, type PendingRecord } from '../storage/index.js';
import { access, append, at, commandAudited, read } from './audit-records.js';
import { commitRecord, randomText } from './records.js';
import { appendAudited, audited } from './storage-audit-cases.js';
import type { StorageCase } from './storage-case.js';

/** What the capability `audit` adds: finding records of the system stream. */
export const auditQueryCases: readonly StorageCase[] = [
  {
    name: 'is ready to find audit records when the log was empty',
    async run(open) {
      assert.equal(await (await open()).audit!.isReady('all'), true);
    },
  },
  {
    name: 'finds audit records page by page in the order of their time, in both directions, within a time range',
    async run(open) {
      const storage = await open();
      const events = [at(3_000, 'a.Three'), at(1_000, 'a.One'), at(2_000, 'a.Two'), at(2_000, 'a.TwoB')];
      await append(storage, events, [{ type: 'svc.AuthenticationFailed', timestamp: 2_500 }]);
      const all = { kind: 'all' } as const;
      const expected = ['a.One', 'a.Two', 'a.TwoB', 'svc.AuthenticationFailed', 'a.Three'];
      for (const limit of [1, 2, 100]) {
        assert.deepEqual(await read(storage, all, { limit }), expected);
        assert.deepEqual(await read(storage, all, { limit, newestFirst: true }), expected.toReversed());
      }
      assert.deepEqual(await read(storage, all, { from: 2_000, to: 2_500 }), ['a.Two', 'a.TwoB']);
      assert.deepEqual(await read(storage, all, { from: 2_001, newestFirst: true }), expected.slice(3).toReversed());
      assert.deepEqual(await read(storage, all, { to: 1_000 }), []);
    },
  },
  {
    name: 'continues after a page while records are appended, without a record twice or left out',
    async run(open) {
      const storage = await open();
      await append(storage, [at(1_000, 'a.One'), at(2_000, 'a.Two'), at(3_000, 'a.Three')]);
      const source = { kind: 'all' } as const;
      for (const newestFirst of [true, false]) {
        const range = { source, newestFirst, from: null, to: null };
        const { records } = await storage.audit!.readPage({ ...range, after: null }, 1);
        const [first] = records;
        await append(storage, [at(newestFirst ? 4_000 : 500, 'a.Later')]);
        const rest = await read(storage, source, { newestFirst, after: first!.place });
        assert.deepEqual(rest.slice(0, 2), newestFirst ? ['a.Two', 'a.One'] : ['a.Two', 'a.Three']);
      }
    },
  },
  {
    name: 'finds what a user did: events, commands and other system events, each once',
    async run(open) {
      const storage = await open();
      const ann = { scope: { userId: 'ann', tenantId: 't', roles: '"userId":"bob"' } };
      const bob = { scope: { tenantId: 't', userId: 'bob' } };
      const events = [at(1_000, 'a.One', ann), at(2_000, 'a.Two', bob), at(4_000, 'a.Four', ann), at(5_000, 'a.Five')];
      await append(storage, events, [
        commandAudited('a.Do', { timestamp: 3_000, ...ann }),
        access('AccessDenied', newId(), { timestamp: 3_500, ...ann }),
      ]);
      const source = { kind: 'user', userId: 'ann' } as const;
      const expected = ['a.One', 'svc.CommandAudited', 'svc.AccessDenied', 'a.Four'];
      assert.deepEqual(await read(storage, source), expected);
      assert.deepEqual(await read(storage, source, { newestFirst: true }), expected.toReversed());
      assert.deepEqual(await read(storage, source, { from: 3_000, to: 4_000 }), expected.slice(1, 3));
      assert.deepEqual(await read(storage, { kind: 'user', userId: 'bob' }), ['a.Two']);
      assert.deepEqual(await read(storage, { kind: 'user', userId: 'a' }), []);
    },
  },
  {
    name: 'finds users with any id, however long and whatever it contains',
    async run(open) {
      const storage = await open();
      const ids = ['a"b', 'ü 𝄞 \\ \u2028', 'nul \u0000', 'half \ud83d', randomText().slice(0, 20_000)];
      await append(
        storage,
        ids.map((userId, i) => at(i, `a.No${i}`, { scope: { userId } })),
      );
      for (const [i, userId] of ids.entries()) {
        assert.ok(
          (await read(storage, { kind: 'user', userId })).includes(`a.No${i}`),
          JSON.stringify(userId).slice(0, 50),
        );
      }
    },
  },
  {
    name: 'finds the records of a correlation in all streams',
    async run(open) {
      const storage = await open();
      const correlationId = newId();
      const events = [
        at(2_000, 'a.Two', { correlationId }),
        at(1_000, 'a.Other'),
        at(3_000, 'a.Three', { correlationId }),
      ];
      await append(storage, events, [commandAudited('a.Do', { timestamp: 1_500, correlationId })]);
      const source = { kind: 'correlation', correlationId } as const;
      assert.deepEqual(await read(storage, source), ['svc.CommandAudited', 'a.Two', 'a.Three']);
      assert.deepEqual(await read(storage, source, { newestFirst: true, limit: 1 }), [
        'a.Three',
        'a.Two',
        'svc.CommandAudited',
      ]);
      assert.deepEqual(await read(storage, { kind: 'correlation', correlationId: newId() }), []);
    },
  },
  {
    name: 'finds the records about a stream in the order of the stream, and shows events that were not audited as none',
    async run(open) {
      const storage = await open();
      const streamId = newId();
      const of = (timestamp: number, type: string): PendingRecord => at(timestamp, type, { streamId });
      await append(storage, [of(2_000, 'a.First'), at(1, 'a.Other'), of(1_000, 'a.Second')]);
      await storage.commit(commitRecord({ events: [of(3_000, 'a.NotAudited')] }));
      await append(storage, [of(4_000, 'a.Fourth')]);
      const source = { kind: 'stream', streamId } as const;
      const expected = ['a.First', 'a.Second', 'a.Fourth'];
      assert.deepEqual(await read(storage, source), expected);
      assert.deepEqual(await read(storage, source, { newestFirst: true, limit: 1 }), expected.toReversed());
      assert.deepEqual(await read(storage, source, { from: 1_500, to: 4_000, limit: 1 }), ['a.First']);
      const { records: page } = await storage.audit!.readPage(
        { source, newestFirst: true, from: null, to: null, after: null },
        10,
      );
      assert.deepEqual(
        page.map(({ place, record }) => [place.order, record === null]),
        [
          [3, false],
          [2, true],
          [1, false],
          [0, false],
        ],
      );
    },
  },
  {
    name: 'finds the access records of a resource',
    async run(open) {
      const storage = await open();
      const [resourceId, other] = [newId(), newId()];
      await append(
        storage,
        [at(1_000, 'a.One')],
        [
          access('AccessDenied', resourceId, { timestamp: 2_000 }),
          access('AccessGranted', other, { timestamp: 3_000 }),
          access('AccessGranted', resourceId, { timestamp: 4_000 }),
          access('AccessDenied', 'no id', { timestamp: 5_000 }),
        ],
      );
      const source = { kind: 'access', resourceId } as const;
      assert.deepEqual(await read(storage, source), ['svc.AccessDenied', 'svc.AccessGranted']);
      assert.deepEqual(await read(storage, source, { newestFirst: true, from: 3_000 }), ['svc.AccessGranted']);
    },
  },
  {
    name: 'finds the records that an event or command caused',
    async run(open) {
      const storage = await open();
      const commandId = newId();
      const event = at(2_000, 'a.One', { causationId: commandId });
      await append(
        storage,
        [event, at(1_000, 'a.Other')],
        [
          commandAudited('a.Do', { timestamp: 3_000, causationId: commandId }),
          { type: 'svc.ReceptorFailed', timestamp: 2_500, causationId: commandId },
          { type: 'svc.ReactionFailed', timestamp: 4_000, causationId: event.id },
        ],
      );
      const ofCommand = ['svc.ReceptorFailed', 'svc.CommandAudited'];
      assert.deepEqual(await read(storage, { kind: 'message', messageId: commandId }), ofCommand);
      const ofEvent = { kind: 'message', messageId: event.id } as const;
      assert.deepEqual(await read(storage, ofEvent, { limit: 1, newestFirst: true }), ['svc.ReactionFailed', 'a.One']);
      assert.deepEqual(await read(storage, ofEvent, { to: 4_000 }), ['a.One']);
      assert.deepEqual(await read(storage, { kind: 'message', messageId: newId() }), []);
    },
  },
  {
    name: 'finds the records of each indexed type in the order of their time',
    async run(open) {
      const storage = await open();
      const records = indexedAuditTypes.flatMap((type, i) => [
        { type, timestamp: 2_000 + i },
        { type, timestamp: 1_000 + i, scope: { userId: type } },
      ]);
      await append(storage, [at(1_500, 'svc.AccessDenied'), at(1_500, 'a.One')], records);
      for (const [i, type] of indexedAuditTypes.entries()) {
        const source = { kind: 'type', type } as const;
        assert.equal(await storage.audit!.isReady('type'), true);
        assert.deepEqual(await read(storage, source, { limit: 1 }), [type, type]);
        assert.deepEqual(await read(storage, source, { newestFirst: true, from: 1_000 + i, to: 2_000 + i }), [type]);
        assert.deepEqual(await read(storage, source, { to: 1_000 + i }), []);
      }
    },
  },
  {
    name: 'finds the commands and events that caused others',
    async run(open) {
      const storage = await open();
      const [correlationId, commandId, unaudited] = [newId(), newId(), newId()];
      const metadata = { origin: 'billing', note: 'nul \u0000' };
      const event = at(1_000, 'a.One', { correlationId, causationId: commandId, metadata });
      await append(storage, [event], [commandAudited('a."Do" ü', { correlationId, causationId: commandId })]);
      const found = await storage.audit!.findCauses([commandId, event.id, unaudited], [correlationId]);
      assert.deepEqual(
        found.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)).map(({ id, kind }) => [id, kind]),
        [
          [commandId, 'command'],
          [event.id, 'event'],
        ],
      );
      assert.deepEqual(
        found.find(({ kind }) => kind === 'event'),
        { id: event.id, kind: 'event', type: 'a.One', metadata },
      );
      assert.deepEqual(found.find(({ kind }) => kind === 'command')!.metadata, {});
      assert.deepEqual(await storage.audit!.findCauses([unaudited], [correlationId]), []);
    },
  },
  {
    name: 'finds complete audit records of events of all kinds',
    async run(open) {
      const storage = await open();
      const records = await appendAudited(storage);
      const { records: page } = await storage.audit!.readPage(
        { source: { kind: 'all' }, newestFirst: false, from: null, to: null, after: null },
        100,
      );
      const bodies = new Map(page.map(({ record }) => [record!.id, record!.body]));
      assert.equal(bodies.size, audited.length);
      for (const { id, body } of records) assert.equal(bodies.get(id), body);
    },
  },
];
