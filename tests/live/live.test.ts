/** Live queries over real connections, on every storage. */
import { connect } from 'node:net';
import {
  InMemoryStorage,
  newId,
  PermissionChanged,
  PermissionChangeType,
  RebuildMode,
  type SecurityContext,
  type Service,
  type Uuid,
} from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { serve } from '@svc/http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { place } from '../perspectives/perspective-shop.js';
import { describeStores, type OpenStore } from '../perspectives/storages.js';
import { LiveClient } from './live-client.js';
import {
  by,
  caller,
  everyone,
  expectShown,
  expectSoon,
  host,
  NotePerspective,
  noteService,
  securedNotes,
} from './live-notes.js';

async function watch(url: string, headers: Record<string, string> = {}): Promise<LiveClient> {
  const client = new LiveClient();
  onTestFinished(() => client.close());
  await client.connect(url, headers);
  return client;
}

const noted = (client: LiveClient): unknown[] => client.models.map(({ note }) => note);

describeStores((stores, storageName) => {
  const shop = (open: OpenStore): Service => noteService(open());

  it('sends the models, then each change once, with its place', async () => {
    const service = shop(await stores.fresh());
    const url = await host(service);
    const first = await place(service, 'a');
    await service.idle();
    const client = await watch(`${url}/notes/live`);
    await expectShown(client, 'a');
    const second = await place(service, 'b');
    await expectShown(client, 'a', 'b');
    await place(service, 'c', first);
    await expectShown(client, 'c', 'b');
    await place(service, 'gone', second);
    await expectShown(client, 'c');
    expect(client.events.map(({ name }) => name)).toEqual(['page', 'upsert', 'upsert', 'remove']);
    expect(new Set(client.events.map(({ id }) => id)).size).toBe(4);
    expect(client.events[1]!.data).toEqual({ key: second, after: first, model: { note: 'b' } });
    expect(client.retryMs).toBeGreaterThan(0);
  });

  it('shows the first models of a filtered and sorted list: one that leaves it is replaced by the next', async () => {
    const service = shop(await stores.fresh());
    const url = await host(service);
    const ids: Uuid[] = [];
    for (const note of ['b', 'c', 'd', 'x']) ids.push(await place(service, note));
    await service.idle();
    const client = await watch(`${url}/notes/live?filter[note][lt]=x&sort=note&pageSize=2`);
    await expectShown(client, 'b', 'c');
    await place(service, 'a');
    await expectShown(client, 'a', 'b');
    await place(service, 'y', ids[0]);
    await expectShown(client, 'a', 'c');
    await place(service, 'cc', ids[2]);
    await place(service, 'gone', ids[1]);
    await expectShown(client, 'a', 'cc');
  });

  it('watches one model: 404 if there is none, and its deletion is a removal', async () => {
    const service = shop(await stores.fresh());
    const url = await host(service);
    const id = await place(service, 'a');
    await place(service, 'other');
    await service.idle();
    expect((await watch(`${url}/notes/${newId()}/live`)).status).toBe(404);
    const client = await watch(`${url}/notes/${id}/live`);
    await expectShown(client, 'a');
    await place(service, 'b', id);
    await expectShown(client, 'b');
    await place(service, 'gone', id);
    await expectShown(client);
    expect(client.events.map(({ name }) => name)).toEqual(['page', 'upsert', 'remove']);
  });

  it('gives a removal a place of its own, also if it is committed while the models are read', async () => {
    const open = await stores.fresh();
    const storage = open();
    const service = noteService(storage);
    const url = await host(service);
    const [a, b] = [await place(service, 'a'), await place(service, 'b')];
    await service.idle();
    const client = await watch(`${url}/notes/live`);
    await expectShown(client, 'a', 'b');
    const { perspectives } = storage;
    const listModels = perspectives.listModels.bind(perspectives);
    const list = vi.spyOn(perspectives, 'listModels').mockImplementationOnce(async (...args) => {
      await place(service, 'gone', b);
      await service.idle();
      return await listModels(...args);
    });
    // The models are read again for each client that connects, and nothing has changed before.
    const other = await watch(`${url}/notes/live`);
    await expectShown(other, 'a');
    await expectShown(client, 'a');
    list.mockRestore();
    expect(client.events.map(({ name }) => name)).toEqual(['page', 'remove']);
    expect(client.events[0]!.id).not.toBe(client.events[1]!.id);
    await place(service, 'c', a);
    await expectShown(client, 'c');
    expect(new Set(client.events.map(({ id }) => id)).size).toBe(3);
  });

  it('continues after a reconnect: what changed in between, nothing twice, and what was removed is gone', async () => {
    const service = shop(await stores.fresh());
    const url = await host(service);
    const [a, b] = [await place(service, 'a'), await place(service, 'b'), await place(service, 'c')];
    await service.idle();
    const client = await watch(`${url}/notes/live`);
    await expectShown(client, 'a', 'b', 'c');
    client.close();
    await place(service, 'a2', a);
    await place(service, 'gone', b);
    await place(service, 'd');
    await service.idle();
    client.events.length = 0;
    await client.connect(`${url}/notes/live`);
    await expectShown(client, 'a2', 'c', 'd');
    expect(client.events.map(({ name }) => name)).toEqual(['upsert', 'upsert', 'keys']);
    // Only the last event of a step has the new place: a client that has received a part of it gets all of it again.
    const [from, repeated, reached] = client.events.map(({ id }) => id);
    expect([from === repeated, from === reached]).toEqual([true, false]);
    client.close();
    client.events.length = 0;
    await client.connect(`${url}/notes/live`);
    await expectSoon(() => client.events.length === 1);
    expect(client.events[0]!.name).toBe('keys');
    expect(noted(client)).toEqual(['a2', 'c', 'd']);
  });

  it('sends a model that has moved onto a full page without a change while the client was away', async () => {
    const service = shop(await stores.fresh());
    const url = await host(service);
    const [, b] = [await place(service, 'a'), await place(service, 'b'), await place(service, 'c')];
    await place(service, 'd');
    await service.idle();
    const list = `${url}/notes/live?sort=-note&filter[note][gte]=a&pageSize=2`;
    const client = await watch(list);
    await expectShown(client, 'd', 'c');
    client.close();
    await place(service, 'A', b);
    const [gone] = client.keys;
    await place(service, 'gone', gone as Uuid);
    await service.idle();
    client.events.length = 0;
    await client.connect(list);
    await expectShown(client, 'c', 'a');
    // Only the one that the client did not have.
    expect(client.events.map(({ name }) => name)).toEqual(['upsert', 'keys']);
  });

  it('gives a client with an unknown place a reset and the page', async () => {
    const service = shop(await stores.fresh());
    const url = await host(service);
    await place(service, 'a');
    await service.idle();
    for (const unknown of ['x', `${'0'.repeat(32)}.1`, `${newId()}.999999999999999`, '.', `1.${'9'.repeat(400)}`]) {
      const client = new LiveClient();
      client.place = unknown;
      onTestFinished(() => client.close());
      await client.connect(`${url}/notes/live`);
      await expectShown(client, 'a');
      const names = client.events.map(({ name }) => name);
      expect([unknown, names]).toEqual([unknown, ['reset', 'page']]);
    }
  });

  it('a rebuild changes nothing for a client, except what is different; its place is then unknown', async () => {
    const service = shop(await stores.fresh());
    const url = await host(service);
    const [a] = [await place(service, 'a'), await place(service, 'b')];
    await service.idle();
    const client = await watch(`${url}/notes/live`);
    await expectShown(client, 'a', 'b');
    const { place: before } = client;
    await service.rebuildPerspective(NotePerspective, { mode: RebuildMode.BlueGreen });
    await place(service, 'c', a);
    await expectShown(client, 'c', 'b');
    expect(client.events.map(({ name }) => name)).toEqual(['page', 'upsert']);
    client.close();
    client.place = before;
    client.events.length = 0;
    await client.connect(`${url}/notes/live`);
    await expectShown(client, 'c', 'b');
    expect(client.events.map(({ name }) => name)).toEqual(['reset', 'page']);
  });

  it('waits for afterEvent, so that a client sees its own write in the first page', async () => {
    const service = shop(await stores.fresh());
    const url = await host(service);
    const id = await place(service, 'mine');
    let last = '';
    for await (const { envelope } of service.eventStore.readStream(id)) last = envelope.id;
    const client = await watch(`${url}/notes/live?afterEvent=${last}`);
    await expectSoon(() => client.events.length === 1);
    expect(noted(client)).toEqual(['mine']);
  });

  it.runIf(storageName !== 'memory')('continues on another host, which sees the changes of the first one', async () => {
    const open = await stores.fresh();
    const [one, two] = [shop(open), shop(open)];
    const urls = [await host(one), await host(two)];
    const id = await place(one, 'a');
    const client = await watch(`${urls[1]}/notes/live`);
    await expectShown(client, 'a');
    client.close();
    await place(two, 'b', id);
    await expectSoon(async () => (await (await fetch(`${urls[0]}/notes/${id}`)).text()).includes('"b"'));
    client.events.length = 0;
    await client.connect(`${urls[0]}/notes/live`);
    await expectShown(client, 'b');
    expect(client.events.map(({ name }) => name)).toEqual(['upsert', 'keys']);
    for (const note of ['c', 'd', 'e']) {
      await place(note === 'd' ? one : two, note, id);
      await expectShown(client, note);
    }
  });
});

describe('access', () => {
  it('is that of the query: 401 without a credential, 403 without the permission', async () => {
    const url = await host(securedNotes(everyone()));
    expect((await watch(`${url}/notes/live`)).status).toBe(401);
    expect((await watch(`${url}/notes/live`, by('eve'))).status).toBe(403);
    expect((await watch(`${url}/notes/${newId()}/live`, by('eve'))).status).toBe(403);
    expect((await watch(`${url}/notes/live`, by('ann'))).status).toBe(200);
  });

  it('shows no tenant the models of another, not even that there are changes', async () => {
    const known = everyone();
    const service = securedNotes(known);
    const url = await host(service);
    const [ann, bob] = [await watch(`${url}/notes/live`, by('ann')), await watch(`${url}/notes/live`, by('bob'))];
    const id = await runAs(known.get('ann')!, () => place(service, 'secret of a'));
    await expectShown(ann, 'secret of a');
    expect((await watch(`${url}/notes/${id}/live`, by('bob'))).status).toBe(404);
    await runAs(known.get('bob')!, () => place(service, 'of b'));
    await expectShown(bob, 'of b');
    expect(bob.events.map(({ name }) => name)).toEqual(['page', 'upsert']);
    expect(JSON.stringify(bob.events)).not.toContain('secret');
    // A place of another caller gives access to nothing.
    const thief = new LiveClient();
    thief.place = ann.place;
    onTestFinished(() => thief.close());
    await thief.connect(`${url}/notes/live`, by('bob'));
    await expectSoon(() => thief.events.length > 0);
    expect(JSON.stringify(thief.events)).not.toContain('secret');
  });

  it.each([
    ['the credential is no longer valid', (known: Map<string, SecurityContext>) => known.delete('ann')],
    [
      'the permission was removed',
      (known: Map<string, SecurityContext>) => known.set('ann', caller({ tenantId: 'a', userId: 'ann' })),
    ],
    [
      'the credential belongs to another tenant now',
      (known: Map<string, SecurityContext>) => known.set('ann', known.get('bob')!),
    ],
  ])('ends when %s', async (_when, change) => {
    const known = everyone();
    const url = await host(securedNotes(known), { live: { checkMs: 300 } });
    const client = await watch(`${url}/notes/live`, by('ann'));
    await expectSoon(() => client.events.length === 1);
    change(known);
    await expectSoon(() => client.isEnded);
  });

  it('ends soon after PermissionChanged, without waiting for the next check', async () => {
    const known = everyone();
    const service = securedNotes(known, 600_000).addSystemEvents();
    const url = await host(service, { live: { checkMs: 600_000 } });
    const [ann, bob] = [await watch(`${url}/notes/live`, by('ann')), await watch(`${url}/notes/live`, by('bob'))];
    await expectSoon(() => ann.events.length === 1 && bob.events.length === 1);
    known.set('ann', caller({ tenantId: 'a', userId: 'ann' }));
    const timestamp = new Date();
    const changed = { userId: 'ann', tenantId: 'a', changeType: PermissionChangeType.RolesRemoved, changedBy: 'eve' };
    await service.emitter.emit(Object.assign(new PermissionChanged(), { ...changed, timestamp }));
    await expectSoon(() => ann.isEnded);
    await runAs(known.get('bob')!, () => place(service, 'of b'));
    await expectShown(bob, 'of b');
  });

  it('limits the connections of a caller (429) and of the host (503), and logs that without a stack', async () => {
    const rejected = 'request rejected';
    const logged: unknown[][] = [];
    const log = {
      info: (...entry: unknown[]) => logged.push(['info', ...entry]),
      error: (...entry: unknown[]) => logged.push(['error', ...entry]),
    };
    const url = await host(securedNotes(everyone()), { live: { perCaller: 2, perHost: 3 }, log });
    const open = async (name: string): Promise<[number, string | null]> => {
      const client = new LiveClient();
      onTestFinished(() => client.close());
      const response = await client.connect(`${url}/notes/live`, by(name));
      return [response.status, response.headers.get('retry-after')];
    };
    expect([await open('ann'), await open('ann'), await open('ann')]).toEqual([
      [200, null],
      [200, null],
      [429, '5'],
    ]);
    expect([await open('bob'), await open('bob')]).toEqual([
      [200, null],
      [503, '5'],
    ]);
    // Expected, so it is no error in the log and has no stack.
    expect(logged).toEqual([
      ['info', expect.objectContaining({ detail: expect.stringContaining('You have 2 live') as string }), rejected],
      ['info', expect.objectContaining({ detail: expect.stringContaining('This host has 3') as string }), rejected],
    ]);
    expect(JSON.stringify(logged)).not.toContain('"err"');
  });
});

describe('connections', () => {
  it('reads the models once for each change, however many clients watch the list', async () => {
    const storage = new InMemoryStorage();
    const service = noteService(storage);
    const url = await host(service, { live: { perCaller: 100 } });
    const clients = await Promise.all(Array.from({ length: 100 }, () => watch(`${url}/notes/live`)));
    for (const client of clients) await expectSoon(() => client.events.length === 1);
    const list = vi.spyOn(storage.perspectives, 'listModels');
    await place(service, 'a');
    for (const client of clients) await expectShown(client, 'a');
    expect(list.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it('sends a slow reader the latest state, and holds at most one step for it', async () => {
    // Without an index, notes can be long.
    const service = noteService(undefined, NotePerspective, []);
    const url = await host(service);
    const id = await place(service, 'start');
    await service.idle();
    const [slow, fast] = [await watch(`${url}/notes/live`), await watch(`${url}/notes/live`)];
    for (const client of [slow, fast]) await expectShown(client, 'start');
    const resume = slow.pause();
    const long = 'x'.repeat(300_000);
    for (let i = 0; i < 60; i++) {
      await place(service, `${i} ${long}`, id);
      await expectSoon(() => String(noted(fast)[0]).startsWith(`${i} `));
    }
    expect(fast.events).toHaveLength(61);
    resume();
    await expectSoon(() => String(noted(slow)[0]).startsWith('59 '));
    // Buffers of the connection hold some; 60 states of 300 kB do not fit.
    expect(slow.events.length).toBeLessThan(50);
  });

  it('get heartbeats, and end with a time to connect again when the host drains', async () => {
    const service = noteService();
    const served = await serve(service, {
      port: 0,
      live: { heartbeatMs: 300 },
      drain: { noticeMs: 0, limitMs: 10_000 },
    });
    const client = await watch(`${served.url}/notes/live`);
    await expectSoon(() => client.comments >= 2);
    client.retryMs = null;
    const outcome = await served.drain.drain();
    expect(outcome).toEqual({ clean: true, cut: 0 });
    await expectSoon(() => client.isEnded);
    expect(client.retryMs).toBeGreaterThan(0);
  });

  it('end with their connection, also if they wait there behind another one', async () => {
    const service = noteService();
    const served = await serve(service, { port: 0, drain: { noticeMs: 0, limitMs: 2_000 } });
    const { port, host: name } = new URL(served.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET /notes/live HTTP/1.1\r\nhost: ${name}\r\n\r\n`.repeat(3));
    await expectSoon(() => service.watches === 3);
    socket.destroy();
    await expectSoon(() => service.watches === 0);
    expect(await served.drain.drain()).toEqual({ clean: true, cut: 0 });
  });

  it('are not opened by HEAD, and not at all if the host turns them off', async () => {
    const service = noteService();
    const url = await host(service);
    const head = await fetch(`${url}/notes/live`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
    const off = await host(noteService(), { live: false });
    // The path is then that of a model with this key.
    expect((await fetch(`${off}/notes/live`)).status).toBe(404);
  });

  it('report every invalid parameter', async () => {
    const url = await host(noteService());
    const response = await fetch(`${url}/notes/live?page=2&after=x&filter[colour]=red&foo=1`);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    expect(response.status).toBe(400);
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual(['/after', '/filter[colour]', '/foo', '/page']);
  });
});
