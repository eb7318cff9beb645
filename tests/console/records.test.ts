/** What operators and auditors see in the console: on every storage. */
import {
  AccessDenied,
  AccessGranted,
  newId,
  PermissionChanged,
  PermissionChangeType,
  runAsHost,
  StreamRewindCompleted,
  StreamRewindStarted,
  SystemEventStream,
  type Uuid,
} from '@svc/core';
import { describe, expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { records } from '../system-events/shop.js';
import { ann, auditor, bob, openLooking, operator, type Looking, type Note, type Words } from './looking.js';

interface NotedEvent {
  readonly id: Uuid;
  readonly correlationId: Uuid;
  readonly causationId: Uuid;
}

describeStores((stores) => {
  const open = async (): Promise<Looking> => openLooking((await stores.fresh())());

  const eventsOf = async ({ get }: Looking, streamId: Uuid): Promise<NotedEvent[]> =>
    (await get(operator, `/streams/${streamId}?first=oldest`)).json.events;

  describe('search', () => {
    it('tells what an id stands for', async () => {
      const looking = await open();
      const stream = await looking.note(ann, 'tea');
      const [event] = await eventsOf(looking, stream);
      const { id, correlationId, causationId } = event!;
      const search = async (text: string): Promise<[string, string | null][]> =>
        (await looking.get(operator, `/search?id=${encodeURIComponent(text)}`)).json.matches.map(
          ({ kind, type }: { kind: string; type: string | null }) => [kind, type],
        );
      expect(await search(stream)).toEqual([['stream', null]]);
      expect(await search(id)).toEqual([['event', 'desk.NoteTaken']]);
      expect(await search(` ${id.toUpperCase()} `)).toEqual([['event', 'desk.NoteTaken']]);
      expect(await search(causationId)).toContainEqual(['command', 'desk.TakeNote']);
      expect((await search(correlationId)).map(([kind]) => kind)).toContain('correlation');
      const { json } = await looking.get(operator, `/audit?message=${id}`);
      expect(await search(json.entries[0].id)).toEqual([['record', 'svc.EventAudited']]);
      expect(await search('ann')).toEqual([['user', null]]);
      expect(await search(newId())).toEqual([]);
      expect(await search('<script>')).toEqual([]);
    });
  });

  describe('audit', () => {
    it('finds the records about an event or a command by its id', async () => {
      const looking = await open();
      const [event] = await eventsOf(looking, await looking.note(ann, 'tea'));
      await looking.note(ann, 'coffee');
      const find = async (message: string): Promise<unknown[]> =>
        (await looking.get(operator, `/audit?message=${message}`)).json.entries.map(
          ({ kind, messageId }: { kind: string; messageId: string }) => [kind, messageId],
        );
      expect(await find(event!.id)).toEqual([['event', event!.id]]);
      expect(await find(event!.causationId)).toEqual([['command', event!.causationId]]);
      expect(await find(newId())).toEqual([]);
    });

    it('finds what a user did, page by page, and records who looked', async () => {
      const looking = await open();
      for (const text of ['tea', 'coffee', 'milk']) await looking.note(ann, text);
      const page = await looking.get(auditor, '/audit?user=ann&type=desk.NoteTaken&limit=2');
      expect(page.json.entries).toHaveLength(2);
      const rest = await looking.get(auditor, `/audit?user=ann&type=desk.NoteTaken&limit=2&after=${page.json.next}`);
      expect(rest.json).toMatchObject({ entries: [{ userId: 'ann' }], next: null });
      const grants = await records(looking.service, AccessGranted);
      expect(grants).toContainEqual(expect.objectContaining({ resourceType: 'audit', usedPermission: 'system:read' }));
    });

    it('rejects unknown and invalid conditions with what is wrong', async () => {
      const { get } = await open();
      const { status, json } = await get(operator, '/audit?limit=1000&from=yesterday&who=ann');
      expect(status).toBe(400);
      expect(JSON.stringify(json)).toContain('/limit');
      expect((await get(operator, '/audit?from=yesterday')).json).toMatchObject({ status: 400 });
      expect((await get(operator, '/events/not-an-id')).status).toBe(400);
    });

    it('exports all pages as CSV and as NDJSON, and records it', async () => {
      const looking = await open();
      await looking.note(ann, Array.from({ length: 120 }, (_, i) => `tea ${i}`).join('\n'));
      const query = '/audit/export?user=ann&type=desk.NoteTaken';
      const csv = await looking.get(auditor, query);
      expect(csv.headers).toMatchObject({ 'content-disposition': 'attachment; filename="audit.csv"' });
      expect(csv.text.trimEnd().split('\r\n')).toHaveLength(121);
      expect(csv.text).toMatch(/^at,kind,type,result,userId/);
      const ndjson = await looking.get(auditor, `${query}&format=ndjson`);
      const lines = ndjson.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { userId: string });
      expect(lines.map(({ userId }) => userId)).toEqual(Array.from({ length: 120 }, () => 'ann'));
      const grants = await records(looking.service, AccessGranted);
      expect(grants.map(({ resourceType }) => resourceType)).toContain('audit-export');
    });

    it('exports values that spreadsheets would execute as text', async () => {
      const looking = await open();
      await looking.note('acme/=1-"1"', 'tea');
      const { text } = await looking.get(auditor, '/audit/export?type=desk.NoteTaken');
      expect(text).toContain(`,"'=1-""1""",`);
    });
  });

  describe('event', () => {
    it('shows who appended it, its command and its body, and records the view', async () => {
      const looking = await open();
      const stream = await looking.note(ann, 'tea <script>alert(1)</script>');
      const [event] = await eventsOf(looking, stream);
      const { json } = await looking.get(auditor, `/events/${event!.id}`);
      expect(json).toMatchObject({
        type: 'desk.NoteTaken',
        streamId: stream,
        position: 0,
        isSystem: false,
        tenantId: 'acme',
        scope: { userId: 'ann', tenantId: 'acme' },
        origin: null,
        audit: { kind: 'event', userId: 'ann' },
        cause: { kind: 'command', type: 'desk.TakeNote' },
        command: { kind: 'command', type: 'desk.TakeNote', userId: 'ann' },
        body: { value: { text: 'tea <script>alert(1)</script>' }, isComplete: true, erased: [], secret: [] },
      });
      const grants = await records(looking.service, AccessGranted);
      expect(grants).toContainEqual(expect.objectContaining({ resourceType: 'event', resourceId: event!.id }));
      expect((await looking.get(operator, `/events/${newId()}`)).status).toBe(404);
    });

    it('shows a part of a large body, and all of it as a file', async () => {
      const looking = await open();
      const text = `long ${'ü'.repeat(200_000)}`;
      const [event] = await eventsOf(looking, await looking.note(ann, text));
      const { json } = await looking.get(operator, `/events/${event!.id}`);
      expect(json.body).toMatchObject({ value: null, isComplete: false });
      expect(json.body.bytes).toBeGreaterThan(400_000);
      expect(json.body.excerpt).toHaveLength(2_000);
      const file = await looking.get(operator, `/events/${event!.id}/body`);
      expect(file.headers).toMatchObject({
        'content-disposition': `attachment; filename="${event!.id}.json"`,
        'x-content-type-options': 'nosniff',
      });
      expect(file.json).toEqual({ text });
    });

    it('shows audit records, which are events of the system stream', async () => {
      const looking = await open();
      const [event] = await eventsOf(looking, await looking.note(ann, 'tea'));
      const { entries } = (await looking.get(operator, `/audit?message=${event!.id}`)).json;
      const { json } = await looking.get(operator, `/events/${entries[0].id}`);
      expect(json).toMatchObject({ isSystem: true, type: 'svc.EventAudited', streamId: SystemEventStream.streamId });
      expect(json.body.value).toMatchObject({ originalEventId: event!.id, originalBody: { text: 'tea' } });
    });
  });

  describe('models', () => {
    it('shows the models of an event before and after it, also those of several streams', async () => {
      const looking = await open();
      await looking.note(ann, 'tea one');
      const second = await looking.note(ann, 'milk\ntea two');
      await looking.note(ann, 'tea three', second);
      const events = await eventsOf(looking, second);
      const { json } = await looking.get(operator, `/events/${events[1]!.id}/models`);
      expect(json.models).toEqual([
        expect.objectContaining({
          perspective: 'NotePerspective',
          key: second,
          status: 'known',
          before: expect.objectContaining({ value: { text: 'milk' } }),
          after: expect.objectContaining({ value: { text: 'tea two' } }),
          events: 2,
          streams: 1,
        }),
        expect.objectContaining({
          perspective: 'NotesByWord',
          key: 'tea',
          before: expect.objectContaining({ value: { words: ['tea one'] } }),
          after: expect.objectContaining({ value: { words: ['tea one', 'tea two'] } }),
          streams: 2,
        }),
        expect.objectContaining({ perspective: 'SharedNotes', key: 'tea', status: 'known' }),
      ]);
      const first = await looking.get(operator, `/events/${events[0]!.id}/models`);
      expect(first.json.models[0]).toMatchObject({ before: null, after: { value: { text: 'milk' } } });
    });

    it('says when an event belongs to no model, and when a perspective cannot apply it', async () => {
      const looking = await open();
      const stream = await looking.note(ann, '\nthe unspeakable');
      const [silent, failing] = await eventsOf(looking, stream);
      const ofSilent = await looking.get(operator, `/events/${silent!.id}/models`);
      expect(ofSilent.json.models[1]).toMatchObject({ perspective: 'NotesByWord', key: null, status: 'none' });
      const ofFailing = await looking.get(operator, `/events/${failing!.id}/models`);
      expect(ofFailing.json.models[1]).toMatchObject({ status: 'failed', error: 'Error: I cannot say that.' });
    });

    it('shows the models of a stream at each position', async () => {
      const looking = await open();
      const stream = await looking.note(ann, 'tea one\ntea two\nmilk');
      const at = async (position: string): Promise<unknown[]> =>
        (await looking.get(operator, `/streams/${stream}/models${position}`)).json.models.map(
          ({ perspective, model }: { perspective: string; model: { value: unknown } }) => [perspective, model.value],
        );
      expect(await at('?position=0')).toEqual([
        ['NotePerspective', { text: 'tea one' }],
        ['NotesByWord', { words: ['tea one'] }],
        ['SharedNotes', { words: ['tea one'] }],
      ]);
      expect(await at('?position=1')).toContainEqual(['NotesByWord', { words: ['tea one', 'tea two'] }]);
      const latest = await at('');
      expect(latest).toContainEqual(['NotePerspective', { text: 'milk' }]);
      expect(latest).toContainEqual(['NotesByWord', { words: ['milk'] }]);
      expect(await at('?position=999')).toEqual(latest);
    });

    it('applies at most 2,000 events of a model, from a snapshot if there is one', async () => {
      const looking = await open();
      const stream = await looking.note(ann, Array.from({ length: 2_500 }, (_, i) => `tea ${i}`).join('\n'));
      const at = async (position: number): Promise<unknown[]> =>
        (await looking.get(operator, `/streams/${stream}/models?position=${position}`)).json.models
          .slice(0, 2)
          .map((found: { status: string; fromSnapshot: boolean; model: { value: Note & Words } | null }) => [
            found.status,
            found.fromSnapshot,
            found.model?.value.text ?? found.model?.value.words.at(-1) ?? null,
          ]);
      // The newest snapshots are retained. The model of a word has 2,500 events, and no snapshot before this one.
      expect(await at(1_999)).toEqual([
        ['known', false, 'tea 1999'],
        ['tooLong', false, null],
      ]);
      expect(await at(2_450)).toEqual([
        ['known', true, 'tea 2450'],
        ['known', true, 'tea 2450'],
      ]);
    });
  });

  describe('stream', () => {
    it('pages the events in both directions', async () => {
      const looking = await open();
      const stream = await looking.note(ann, Array.from({ length: 5 }, (_, i) => `tea ${i}`).join('\n'));
      const pages = async (first: string): Promise<number[][]> => {
        const found: number[][] = [];
        for (let after = ''; ;) {
          const { json } = await looking.get(auditor, `/streams/${stream}?limit=2&first=${first}${after}`);
          expect(json).toMatchObject({ length: 5, tenantId: 'acme' });
          found.push(json.events.map(({ position }: { position: number }) => position));
          if (json.next === null) return found;
          after = `&after=${json.next}`;
        }
      };
      expect(await pages('newest')).toEqual([[4, 3], [2, 1], [0]]);
      expect(await pages('oldest')).toEqual([[0, 1], [2, 3], [4]]);
      expect((await looking.get(operator, `/streams/${newId()}`)).status).toBe(404);
    });

    it('shows the rewinds of the stream', async () => {
      const looking = await open();
      const streamId = await looking.note(ann, 'tea');
      const [startedAt, completedAt] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:00:01Z')];
      const perspectiveNames = ['NotePerspective'];
      const triggerEventId = newId();
      const { emitter } = looking.service;
      await runAsHost(async () => {
        const started = { streamId, perspectiveNames, triggerEventId, startedAt };
        await emitter.emit(Object.assign(new StreamRewindStarted(), started));
        const completed = { streamId, perspectiveNames, totalEventsReplayed: 3, startedAt, completedAt };
        await emitter.emit(Object.assign(new StreamRewindCompleted(), completed));
        await emitter.emit(Object.assign(new StreamRewindStarted(), { ...started, streamId: newId() }));
      });
      await looking.service.idle();
      const { json } = await looking.get(operator, `/streams/${streamId}`);
      expect(json.rewinds).toEqual([
        {
          startedAt: startedAt.toISOString(),
          completedAt: completedAt.toISOString(),
          perspectives: perspectiveNames,
          triggerEventId,
          eventsReplayed: 3,
        },
      ]);
    });
  });

  describe('chain', () => {
    it('shows what a request caused, as a graph', async () => {
      const looking = await open();
      const [event] = await eventsOf(looking, await looking.note(ann, 'tea\nmilk'));
      const { json } = await looking.get(auditor, `/chains/${event!.correlationId}`);
      const nodes: { id: string; entry: { kind: string; type: string } }[] = json.nodes;
      const command = nodes.find(({ entry }) => entry.kind === 'command')!;
      const events = nodes.filter(({ entry }) => entry.kind === 'event');
      expect(events).toHaveLength(2);
      expect(json.edges).toHaveLength(2);
      expect(json.edges).toEqual(expect.arrayContaining(events.map(({ id }) => ({ from: command.id, to: id }))));
      expect(json).toMatchObject({ correlationId: event!.correlationId, isComplete: true });
      expect((await looking.get(operator, `/chains/${newId()}`)).status).toBe(404);
    });
  });

  describe('access', () => {
    it('counts denials over time, by user, permission and resource', async () => {
      const looking = await open();
      for (const who of [ann, ann, bob]) expect((await looking.get(who, '/audit')).status).toBe(403);
      await looking.service.idle();
      const { json } = await looking.get(operator, '/access/denials');
      expect(json.counts).toHaveLength(60);
      expect(json.byUser.map(({ userId }: { userId: string }) => userId).toSorted()).toEqual(['ann', 'bob']);
      expect(json.byPermission[0]).toMatchObject({ permission: 'system:read' });
      expect(json.newest[0]).toMatchObject({ kind: 'denial', result: 'denied' });
      expect(json.counts.at(-1)).toBe(json.total);
      const own = await looking.get(auditor, '/access/denials');
      expect(own.json.byUser).toEqual([{ userId: 'ann', tenantId: 'acme', count: expect.any(Number) }]);
      const before = await looking.get(operator, '/access/denials?from=2020-01-01&to=2020-01-02');
      expect(before.json).toMatchObject({ total: 0, newest: [], isComplete: true });
      expect((await looking.get(operator, '/access/denials?from=2020-01-02&to=2020-01-01')).status).toBe(400);
    });

    it('shows the roles and permissions with which users last authenticated, and their changes', async () => {
      const looking = await open();
      await looking.note('acme/ann+clerk orders:read', 'tea');
      await looking.note('acme/ann+clerk,lead orders:write', 'tea');
      const change = { userId: 'ann', tenantId: 'acme', changedBy: 'olga', timestamp: new Date() };
      const changeType = PermissionChangeType.RolesAdded;
      await runAsHost(() =>
        looking.service.emitter.emit(Object.assign(new PermissionChanged(), { ...change, changeType })),
      );
      await looking.service.idle();
      const { json } = await looking.get(operator, '/access/roles?user=ann');
      expect(json).toEqual({
        users: [
          {
            userId: 'ann',
            tenantId: 'acme',
            roles: ['clerk', 'lead'],
            permissions: ['orders:write'],
            source: 'test',
            seenAt: expect.any(String),
            changedAt: expect.any(String),
            changedBy: 'olga',
          },
        ],
        isComplete: true,
      });
    });
  });

  describe("a tenant's auditor", () => {
    it('does not find events, streams, chains and models of another tenant, which is recorded', async () => {
      const looking = await open();
      const stream = await looking.note(bob, 'tea of globex');
      const [event] = await eventsOf(looking, stream);
      for (const path of [`/events/${event!.id}`, `/events/${event!.id}/body`, `/events/${event!.id}/models`]) {
        expect([path, (await looking.get(auditor, path)).status]).toEqual([path, 404]);
      }
      for (const path of [`/streams/${stream}`, `/streams/${stream}/models`, `/chains/${event!.correlationId}`]) {
        expect([path, (await looking.get(auditor, path)).status]).toEqual([path, 404]);
      }
      expect((await looking.get(auditor, `/streams/${SystemEventStream.streamId}`)).status).toBe(404);
      for (const id of [event!.id, stream, event!.correlationId, event!.causationId, 'bob']) {
        expect([id, (await looking.get(auditor, `/search?id=${id}`)).json]).toEqual([id, { matches: [] }]);
      }
      const denied = await records(looking.service, AccessDenied);
      expect(denied.map(({ resourceId }) => resourceId)).toEqual(expect.arrayContaining([event!.id, stream]));
    });

    it('does not see models with data of other tenants', async () => {
      const looking = await open();
      await looking.note(bob, 'tea of globex');
      const stream = await looking.note(ann, 'tea of acme');
      const [event] = await eventsOf(looking, stream);
      for (const path of [`/events/${event!.id}/models`, `/streams/${stream}/models`]) {
        const { json, text } = await looking.get(auditor, path);
        expect(json.models[2]).toMatchObject({ perspective: 'SharedNotes', status: 'shared' });
        expect(text).not.toContain('globex');
        expect((await looking.get(operator, path)).text).toContain('globex');
      }
    });
  });
});
