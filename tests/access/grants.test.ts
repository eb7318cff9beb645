/** AccessGranted for commands and queries: on every storage, over REST and GraphQL. */
import {
  AccessDenied,
  AccessGranted,
  commandEndpoint,
  InMemoryStorage,
  newId,
  perspective,
  ScopeFilters,
  type Uuid,
} from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { restrictedTo } from '@svc/fastify';
import { describe, expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { records } from '../system-events/shop.js';
import { NotePerspective, openDesk, TakeNote, ways, type Desk } from './desk.js';

@commandEndpoint<GuardedNote, unknown>({
  restRoute: '/notes/take',
  requires: 'notes:write',
  scope: ScopeFilters.Tenant,
  recordGrant: true,
})
class GuardedNote extends TakeNote {}

@perspective({
  route: '/notes',
  graphQLQuery: 'note',
  graphQLListQuery: 'notes',
  requires: 'notes:read',
  scope: ScopeFilters.User,
  recordGrant: true,
})
class GuardedNotes extends NotePerspective {}

/** The same, shared by all tenants. */
@perspective({
  route: '/notes',
  graphQLQuery: 'note',
  graphQLListQuery: 'notes',
  requires: 'notes:read',
  scope: ScopeFilters.None,
  recordGrant: true,
})
class SharedNotes extends NotePerspective {}

const ann = 'acme/ann notes:read notes:write';

describeStores((stores) => {
  const open = async (storage?: Storage): Promise<Desk> =>
    openDesk({ storage: storage ?? (await stores.fresh())(), command: GuardedNote, notes: GuardedNotes });

  const grants = async ({ service }: Desk): Promise<unknown[]> =>
    (await records(service, AccessGranted)).map(({ resourceType, resourceId, accessFilter, count }) => [
      resourceType,
      resourceId,
      accessFilter,
      count,
    ]);

  async function takeNote(desk: Desk): Promise<Uuid> {
    const noteId = newId();
    expect(await desk.rest.take(ann, { noteId, text: 'x' })).toBe(200);
    await desk.service.idle();
    return noteId;
  }

  describe.each(ways)('over %s', (way) => {
    it('AccessGranted contains a command and its used permission, with recordGrant', async () => {
      const desk = await open();
      expect(await desk[way].take(ann, {})).toBe(200);
      expect(await records(desk.service, AccessGranted)).toMatchObject([
        {
          resourceType: 'command',
          resourceId: 'desk.GuardedNote',
          usedPermission: 'notes:write',
          accessFilter: ScopeFilters.Tenant,
          scope: { tenantId: 'acme', userId: 'ann' },
          timestamp: expect.any(Date) as Date,
        },
      ]);
    });

    it('AccessGranted contains the filters of a query in AccessFilter', async () => {
      const desk = await open();
      const noteId = await takeNote(desk);
      const limit = ScopeFilters.Tenant | ScopeFilters.User;
      expect(await desk[way].find(ann, noteId)).toMatchObject({ text: 'x' });
      expect(await desk[way].list(ann)).toMatchObject({ items: [{ text: 'x' }] });
      expect((await grants(desk)).slice(1)).toEqual([
        ['GuardedNotes', noteId, limit, undefined],
        ['GuardedNotes', undefined, limit, undefined],
      ]);
      const [, found] = await records(desk.service, AccessGranted);
      expect(found).toMatchObject({ usedPermission: 'notes:read', scope: { tenantId: 'acme', userId: 'ann' } });
    });

    it('AccessDenied contains the key of the model that was requested; a list has none', async () => {
      const desk = await open();
      const noteId = newId();
      await desk[way].find('acme/cy', noteId);
      await desk[way].list('acme/cy');
      const denied = await records(desk.service, AccessDenied);
      expect(denied.map(({ resourceType, resourceId }) => [resourceType, resourceId])).toEqual([
        ['GuardedNotes', noteId],
        ['GuardedNotes', undefined],
      ]);
    });

    it('is not emitted for denied requests and hidden models', async () => {
      const desk = await open();
      const noteId = await takeNote(desk);
      await desk[way].find('evil/eve notes:read', noteId);
      await desk[way].find('acme/bob notes:read', noteId);
      await desk[way].find(ann, newId());
      await desk[way].find('acme/cy', noteId);
      await desk[way].take('acme/cy notes:read', {});
      await desk[way].take('-/nobody notes:write', {});
      expect(await grants(desk)).toEqual([['command', 'desk.GuardedNote', ScopeFilters.Tenant, undefined]]);
      expect((await records(desk.service, AccessDenied)).map(({ scope }) => scope.userId)).toEqual([
        'cy',
        'cy',
        'nobody',
      ]);
    });

    it('is one record with a count for repeated grants within a minute', async () => {
      const store = await stores.fresh();
      const desk = await open(store());
      const noteId = await takeNote(desk);
      for (let i = 0; i < 5; i++) await desk[way].find(ann, noteId);
      expect(await grants(desk)).toHaveLength(2);
      await desk.service.access.close();
      expect((await grants(desk)).at(-1)).toEqual(['GuardedNotes', noteId, 9, 4]);
    });
  });

  it('has no filters if all tenants share the models', async () => {
    const desk = await openDesk({ storage: (await stores.fresh())(), notes: SharedNotes });
    await desk.rest.list('evil/eve notes:read');
    expect(await grants(desk)).toEqual([['SharedNotes', undefined, ScopeFilters.None, undefined]]);
  });

  it('is emitted once for a request that reads the same model several times', async () => {
    const desk = await open();
    const noteId = await takeNote(desk);
    const [a, b, c] = ['a', 'b', 'c'].map((alias) => `${alias}: note(id: "${noteId}") { text }`);
    await desk.ask(ann, `{ ${a} ${b} ${c} }`);
    await desk.service.access.close();
    expect((await grants(desk)).slice(1)).toEqual([['GuardedNotes', noteId, 9, undefined]]);
  });

  it('counts the models that a caller reads beyond 200 of a kind within a minute', async () => {
    const desk = await open();
    const ids = await Promise.all(Array.from({ length: 205 }, () => takeNote(desk)));
    for (const id of ids) expect(await desk.rest.find(ann, id)).toMatchObject({ text: 'x' });
    await desk.service.access.close();
    const found = (await records(desk.service, AccessGranted)).filter(({ resourceType }) => resourceType !== 'command');
    expect(found).toHaveLength(202);
    expect(found.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(205);
    expect(found.slice(200).map(({ resourceId, count }) => [resourceId, count])).toEqual([
      [undefined, undefined],
      [undefined, 4],
    ]);
  });
});

describe('recordGrant without a permission', () => {
  const wrong = expect.objectContaining({ code: 'SVC_INVALID_VALUE', message: expect.stringMatching(/recordGrant/) });

  it('is rejected on a command, on a perspective and on a custom route', async () => {
    class Lonely {}
    expect(() => commandEndpoint<Lonely, unknown>({ recordGrant: true })(Lonely)).toThrow(wrong);
    expect(() => perspective({ recordGrant: true })(class extends NotePerspective {})).toThrow(wrong);
    const { service } = await openDesk({ storage: new InMemoryStorage() });
    expect(() => restrictedTo(service, { resourceType: 'report', recordGrant: true })).toThrow(wrong);
  });
});
