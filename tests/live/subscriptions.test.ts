/** GraphQL subscriptions with the client of graphql-sse, on every storage. */
import { InMemoryStorage, newId, RebuildMode, type Uuid } from '@svc/core';
import { graphQL } from '@svc/graphql';
import { serve } from '@svc/http';
import { expect, it, vi } from 'vitest';
import { place } from '../perspectives/perspective-shop.js';
import { describeStores } from '../perspectives/storages.js';
import { LiveClient } from './live-client.js';
import { expectShown, expectSoon, host, NotePerspective, noteService, watchNotes } from './live-notes.js';
import { subscribe } from './subscription-client.js';

describeStores((stores, storageName) => {
  it('has the models first, then each change with the keys of all', async () => {
    const service = noteService((await stores.fresh())());
    const url = await host(service);
    const first = await place(service, 'a');
    await service.idle();
    const client = subscribe({ urls: [url], query: watchNotes });
    await expectShown(client, 'a');
    const second = await place(service, 'b');
    await expectShown(client, 'a', 'b');
    await place(service, 'c', first);
    await expectShown(client, 'c', 'b');
    await place(service, 'gone', second);
    await expectShown(client, 'c');
    const places = client.results.map(({ data }) => (data!['notes'] as { place: string }).place);
    expect(new Set(places).size).toBe(4);
    expect(client.results).toEqual([
      { data: { notes: { place: places[0], keys: [first], changed: [{ key: first, model: { note: 'a' } }] } } },
      {
        data: { notes: { place: places[1], keys: [first, second], changed: [{ key: second, model: { note: 'b' } }] } },
      },
      { data: { notes: { place: places[2], keys: [first, second], changed: [{ key: first, model: { note: 'c' } }] } } },
      { data: { notes: { place: places[3], keys: [first], changed: [] } } },
    ]);
    expect(client.isEnded).toBe(false);
  });

  it('shows the first models of a filtered and sorted list: one that leaves it is replaced by the next', async () => {
    const service = noteService((await stores.fresh())());
    const url = await host(service);
    const ids: Uuid[] = [];
    for (const note of ['b', 'c', 'd', 'x']) ids.push(await place(service, note));
    await service.idle();
    const variables = { filter: { note: { lt: 'x' } }, sort: 'note', pageSize: 2 };
    const client = subscribe({ urls: [url], query: watchNotes, variables });
    // The filter can also be a literal.
    const literal = subscribe({
      urls: [url],
      query:
        'subscription { notes(filter: { note: { lt: "x" } }, sort: "note", pageSize: 2) { keys changed { key model { note } } } }',
    });
    await expectShown(client, 'b', 'c');
    await place(service, 'a');
    await expectShown(client, 'a', 'b');
    await place(service, 'y', ids[0]);
    await expectShown(client, 'a', 'c');
    await place(service, 'cc', ids[2]);
    await place(service, 'gone', ids[1]);
    await expectShown(client, 'a', 'cc');
    await expectShown(literal, 'a', 'cc');
  });

  it('watches one model: null once it is deleted, and null at once if there is none', async () => {
    const service = noteService((await stores.fresh())());
    const url = await host(service);
    const id = await place(service, 'a');
    await place(service, 'other');
    await service.idle();
    const query = 'subscription ($id: ID!) { renamed: note(id: $id) { note } }';
    const none = subscribe({ urls: [url], query, variables: { id: newId() } });
    await expectSoon(() => none.isComplete);
    expect(none.results).toEqual([{ data: { renamed: null } }]);
    const client = subscribe({ urls: [url], query, variables: { id } });
    const last = (): unknown => client.results.at(-1)?.data?.['renamed'];
    for (const note of ['a', 'b', 'c']) {
      await place(service, note, id);
      await expect.poll(last, { timeout: 20_000 }).toEqual({ note });
    }
    await place(service, 'gone', id);
    await expect.poll(last, { timeout: 20_000 }).toBe(null);
    await place(service, 'back', id);
    await expect.poll(last, { timeout: 20_000 }).toEqual({ note: 'back' });
  });

  it('continues from its place after a reconnect: only what has changed since, and what was removed is gone', async () => {
    const service = noteService((await stores.fresh())());
    const url = await host(service);
    const [a, b] = [await place(service, 'a'), await place(service, 'b'), await place(service, 'c')];
    await service.idle();
    const before = subscribe({ urls: [url], query: watchNotes });
    await expectShown(before, 'a', 'b', 'c');
    before.close();
    await place(service, 'a2', a);
    await place(service, 'gone', b);
    const d = await place(service, 'd');
    await service.idle();
    const after = subscribe({ urls: [url], query: watchNotes, variables: before.variables });
    await expectSoon(() => after.error !== null || after.results.length > 0);
    const { keys, changed } = after.results[0]!.data!['notes'] as { keys: string[]; changed: { key: string }[] };
    expect(keys).toEqual([a, before.keys[2], d]);
    expect(changed.map(({ key }) => key)).toEqual([a, d]);
  });

  it('gives a client with an unknown place all models', async () => {
    const service = noteService((await stores.fresh())());
    const url = await host(service);
    const [a] = [await place(service, 'a'), await place(service, 'b')];
    await service.idle();
    const client = subscribe({ urls: [url], query: watchNotes });
    await expectShown(client, 'a', 'b');
    const { since: before } = client.variables;
    await service.rebuildPerspective(NotePerspective, { mode: RebuildMode.BlueGreen });
    await place(service, 'c', a);
    await expectShown(client, 'c', 'b');
    // For a client that stays connected, a rebuild that changes nothing is nothing.
    expect(client.results).toHaveLength(2);
    for (const since of [before, 'x', '', `${newId()}.999999999999999`, '9'.repeat(5_000)]) {
      const other = subscribe({ urls: [url], query: watchNotes, variables: { since } });
      await expectShown(other, 'c', 'b');
    }
  });

  it('waits for afterEvent, so that a client sees its own write in the first result', async () => {
    const service = noteService((await stores.fresh())());
    const url = await host(service);
    const id = await place(service, 'mine');
    let last = '';
    for await (const { envelope } of service.eventStore.readStream(id)) last = envelope.id;
    const client = subscribe({ urls: [url], query: watchNotes, variables: { afterEvent: last } });
    await expectShown(client, 'mine');
    expect(client.results).toHaveLength(1);
  });

  it.runIf(storageName !== 'memory')('continues on another host by itself, when its host stops', async () => {
    const open = await stores.fresh();
    const [one, two] = [noteService(open()), noteService(open())];
    const stopped = await serve(one, { port: 0, graphql: graphQL(), drain: { noticeMs: 0 } });
    const id = await place(one, 'a');
    await place(one, 'still');
    const client = subscribe({ urls: [stopped.url, await host(two)], query: watchNotes, retryAttempts: 20 });
    await expectShown(client, 'a', 'still');
    const received = client.results.length;
    await stopped.stop();
    await place(two, 'b', id);
    await expectShown(client, 'b', 'still');
    expect([client.isEnded, client.connections > 1]).toEqual([false, true]);
    const later = client.results.slice(received).map(({ data }) => data!['notes'] as { changed: { key: string }[] });
    // Nothing that it had before is sent again.
    expect(new Set(later.flatMap(({ changed }) => changed.map(({ key }) => key)))).toEqual(new Set([id]));
  });
});

it('shares its source with REST: one query for each change, however many clients watch the list', async () => {
  const storage = new InMemoryStorage();
  const service = noteService(storage);
  const url = await host(service, { live: { perCaller: 1_000 } });
  const rest = Array.from({ length: 20 }, () => new LiveClient());
  for (const client of rest) await client.connect(`${url}/notes/live`);
  const subscribers = Array.from({ length: 20 }, () => subscribe({ urls: [url], query: watchNotes }));
  for (const client of [...rest, ...subscribers]) await expectSoon(() => hasBegun(client));
  const list = vi.spyOn(storage.perspectives, 'listModels');
  await place(service, 'a');
  for (const client of [...rest, ...subscribers]) await expectShown(client, 'a');
  expect(list.mock.calls.length).toBeLessThanOrEqual(2);
  for (const client of rest) client.close();
});

function hasBegun(client: object): boolean {
  return client instanceof LiveClient
    ? client.events.length > 0
    : (client as { results: unknown[] }).results.length > 0;
}
