/** Custom routes reach only what their caller may reach, also without access control. */
import { InMemoryStorage, newId, runAsHost, ScopeFilters, SystemEventStream, type Service, type Uuid } from '@svc/core';
import { restrictedTo } from '@svc/fastify';
import type { FastifyInstance } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { collect } from '../system-events/shop.js';
import { AccountPerspective, openBank, type Bank } from './bank.js';

let bank: Bank;
let account: Uuid;

function addRoutes(app: FastifyInstance, service: Service): void {
  const lens = service.lens(AccountPerspective);
  const systemStream = () => service.eventStore.readStream(SystemEventStream.streamId);
  const guarded = restrictedTo(service, { resourceType: 'report', scope: ScopeFilters.Tenant });
  app.get('/unguarded/models', () => lens.list());
  app.get('/unguarded/system', async () => (await collect(systemStream())).length);
  app.get<{ Params: { id: Uuid } }>(
    '/unguarded/stream/:id',
    async ({ params }) => (await collect(service.eventStore.readStream(params.id))).length,
  );
  app.get('/guarded/models', guarded, () => lens.list());
  app.get('/guarded/system', guarded, async () => (await collect(systemStream())).length);
  app.get('/host/models', guarded, () => runAsHost(() => lens.list()));
}

beforeEach(async () => {
  bank = await openBank({ storage: new InMemoryStorage(), addRoutes });
  account = newId();
  await bank.post('acme/ann', '/accounts/open', { accountId: account });
  await bank.service.idle();
});

describe('a route without access control', () => {
  it.each([null, 'evil/mallory', 'acme/ann system:read'])(
    'shows %s no more than an anonymous caller may see',
    async (who) => {
      expect((await bank.get(who, '/unguarded/models')).json()).toEqual([]);
      expect((await bank.get(who, `/unguarded/stream/${account}`)).json()).toBe(0);
      const system = await bank.get(who, '/unguarded/system');
      expect([system.statusCode, system.body]).not.toEqual([200, expect.anything()]);
    },
  );
});

describe('a route with access control', () => {
  it('runs as its caller', async () => {
    expect((await bank.get('acme/ann', '/guarded/models')).json()).toHaveLength(1);
    expect((await bank.get('evil/mallory', '/guarded/models')).json()).toEqual([]);
    const denied = await bank.get('acme/ann', '/guarded/system');
    expect([denied.statusCode, denied.json<{ type: string }>().type]).toEqual([403, 'urn:svc:problem:forbidden']);
    expect((await bank.get('acme/auditor system:read', '/guarded/system')).statusCode).toBe(200);
  });

  it('rejects a caller without the required scope', async () => {
    expect((await bank.get('-/nobody', '/guarded/models')).statusCode).toBe(403);
    expect((await bank.get(null, '/guarded/models')).statusCode).toBe(401);
  });

  it('reads as the host with runAsHost', async () => {
    expect((await bank.get('evil/mallory', '/host/models')).json()).toHaveLength(1);
  });
});
