/** Data of one tenant do not exist for the others: on every storage, over every access path. */
import { AccessDenied, AccessGranted, EventAudited, newId, runAsHost, SystemEventStream, type Uuid } from '@svc/core';
import { runAs } from '@svc/core/hosting';
import type { DeadLetterRecord, Storage } from '@svc/core/storage';
import { wrap } from '@svc/core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { collect, records } from '../system-events/shop.js';
import {
  AccountPerspective,
  callerOf,
  Charge,
  Deposit,
  Deposited,
  DirectoryPerspective,
  HolderPerspective,
  openBank,
  type Bank,
} from './bank.js';

const acme = 'acme/ann';
const evil = 'evil/mallory';

describeStores((stores) => {
  let bank: Bank;
  let account: Uuid;

  beforeEach(async () => {
    bank = await openBank({ storage: (await stores.fresh())() });
    account = newId();
    await bank.post(acme, '/accounts/open', { accountId: account });
  });

  const events = (): Promise<string[]> =>
    runAsHost(async () =>
      (await collect(bank.service.eventStore.readStream(account))).map(({ envelope }) => envelope.type),
    );
  const denials = async (): Promise<(string | undefined)[][]> =>
    (await records(bank.service, AccessDenied)).map(({ resourceType, resourceId, scope, reason }) => [
      resourceType,
      resourceId,
      scope.tenantId,
      reason,
    ]);

  describe('a command for a stream of another tenant', () => {
    it.each([evil, '-/nobody'])('of %s finds no events to read, and the stream stays unchanged', async (who) => {
      const answer = await bank.post(who, '/accounts/deposit', { accountId: account });
      const unknown = await bank.post(who, '/accounts/deposit', { accountId: newId() });
      expect([answer.statusCode, unknown.statusCode]).toEqual([404, 404]);
      expect(await events()).toEqual(['bank.AccountOpened']);
      const tenant = callerOf(who).scope.tenantId;
      expect(await denials()).toEqual([['stream', account, tenant, 'ScopeViolation']]);
      expect((await bank.post(acme, '/accounts/deposit', { accountId: account })).statusCode).toBe(200);
    });

    it.each([undefined, -1, 0, 5])('is a 404 if it appends without reading, expecting position %s', async (at) => {
      const answer = await bank.post(evil, '/accounts/charge', { accountId: account, expectedPosition: at });
      expect([answer.statusCode, answer.json<{ type: string }>().type]).toEqual([404, 'urn:svc:problem:not-found']);
      expect(await events()).toEqual(['bank.AccountOpened']);
      expect(await denials()).toEqual([['stream', account, 'evil', 'ScopeViolation']]);
    });

    it('cannot use an existing stream id', async () => {
      expect((await bank.post(evil, '/accounts/open', { accountId: account })).statusCode).toBe(404);
    });

    it('cannot read, count or append to it in application code', async () => {
      const { eventStore } = bank.service;
      const [opened] = await collect(runAs(callerOf(acme), () => eventStore.readStream(account)));
      await runAs(callerOf(evil), async () => {
        expect(await collect(eventStore.readStream(account))).toEqual([]);
        expect(await collect(eventStore.readStream(account, 1))).toEqual([]);
        expect(await eventStore.lastPosition(account)).toBe(-1);
        const behind = collect(eventStore.readStream(account, { afterEvent: opened!.envelope.id }));
        await expect(behind).rejects.toMatchObject({ code: 'SVC_UNKNOWN_EVENT' });
        const scope = { tenantId: 'evil' };
        const event = wrap('bank.Deposited', new Deposited(), { streamId: account, scope });
        await expect(eventStore.append(account, event)).rejects.toMatchObject({ code: 'SVC_NOT_FOUND' });
      });
      expect(await events()).toEqual(['bank.AccountOpened']);
    });

    it('cannot find one event of it by its id', async () => {
      const { eventStore } = bank.service;
      const [opened] = await collect(runAs(callerOf(acme), () => eventStore.readStream(account)));
      const { id } = opened!.envelope;
      expect(await runAs(callerOf(acme), () => eventStore.findEvent(id))).toEqual(opened);
      expect(await runAsHost(() => eventStore.findEvent(id))).toEqual(opened);
      for (const who of [evil, '-/nobody', 'evil/auditor system:read']) {
        expect(await runAs(callerOf(who), () => eventStore.findEvent(id))).toBeNull();
        expect(await runAs(callerOf(who), () => eventStore.findEvent(newId()))).toBeNull();
      }
      expect(await eventStore.findEvent(id), 'outside of a request').toBeNull();
      expect(await denials()).toContainEqual(['event', id, 'evil', 'ScopeViolation']);
    });

    it('cannot be invoked in the scope of that tenant', async () => {
      // It would append nothing, but be audited in that scope.
      const nothing = Object.assign(new Deposit(), { accountId: newId() });
      await runAs(callerOf(evil), async () => {
        for (const scope of [{ tenantId: 'acme' }, null, { userId: 'mallory' }]) {
          await expect(async () => bank.service.dispatcher.invoke(nothing, { scope })).rejects.toMatchObject({
            code: 'SVC_TENANT_MISMATCH',
          });
        }
        const forged = wrap('bank.Deposited', new Deposited(), { streamId: newId(), scope: { tenantId: 'acme' } });
        const appending = bank.service.eventStore.append(forged.streamId!, forged);
        await expect(appending).rejects.toMatchObject({ code: 'SVC_TENANT_MISMATCH' });
      });
    });
  });

  describe('a model of another tenant', () => {
    it('is not found and not listed, over HTTP and in code', async () => {
      await bank.service.idle();
      expect((await bank.get(acme, `/accounts/${account}`)).json()).toEqual({ events: 1, holder: 'smith' });
      expect((await bank.get(evil, `/accounts/${account}`)).statusCode).toBe(404);
      for (const who of [evil, '-/nobody']) {
        expect((await bank.get(who, '/accounts')).json<{ items: [] }>().items).toEqual([]);
      }
      const lens = bank.service.lens(AccountPerspective);
      await runAs(callerOf(evil), async () => {
        expect([await lens.find(account), await lens.list()]).toEqual([null, []]);
        expect(await lens.of({ tenantId: 'acme' }).list()).toEqual([]);
      });
      await runAs(callerOf(acme), async () => expect(await lens.list()).toHaveLength(1));
      await runAsHost(async () => expect(await lens.list()).toHaveLength(1));
    });

    it('cannot be squatted: the same key in two tenants is two models', async () => {
      for (const who of [evil, evil, acme, '-/nobody']) {
        await bank.post(who, '/accounts/open', { accountId: newId(), holder: 'jones' });
      }
      await bank.service.idle();
      const seen = async (who: string): Promise<unknown> => (await bank.get(who, '/holders/jones')).json();
      expect(await seen(evil)).toEqual({ events: 2, holder: 'jones' });
      expect(await seen(acme)).toEqual({ events: 1, holder: 'jones' });
      expect(await seen('-/nobody')).toEqual({ events: 1, holder: 'jones' });
      const lens = bank.service.lens(HolderPerspective);
      await runAsHost(async () => {
        expect(await lens.of({ tenantId: 'evil' }).find('jones')).toEqual({ events: 2, holder: 'jones' });
        await expect(lens.find('jones')).rejects.toMatchObject({ code: 'SVC_AMBIGUOUS_KEY' });
        expect(await lens.find('smith')).toEqual({ events: 1, holder: 'smith' });
        expect((await lens.list({ sort: '-events' })).map(({ events: count }) => count)).toEqual([2, 1, 1, 1]);
      });
      await bank.service.rebuildPerspective(HolderPerspective);
      expect([await seen(evil), await seen(acme)]).toMatchObject([{ events: 2 }, { events: 1 }]);
    });

    it('is shared if the perspective has scope 0', async () => {
      await bank.post(evil, '/accounts/open', { accountId: newId() });
      await bank.service.idle();
      for (const who of [acme, evil]) {
        expect((await bank.get(who, '/directory/smith')).json()).toEqual({ events: 2, holder: 'smith' });
      }
      await runAsHost(async () =>
        expect(await bank.service.lens(DirectoryPerspective).find('smith')).toMatchObject({ events: 2 }),
      );
    });
  });

  it('cannot be waited for: an event of another tenant looks like one that does not exist', async () => {
    const eventId = String(
      (await bank.post(acme, '/accounts/deposit', { accountId: account })).headers['svc-last-event'],
    );
    expect((await bank.get(acme, `/accounts?afterEvent=${eventId}`)).statusCode).toBe(200);
    const [foreign, unknown] = [
      await bank.get(evil, `/accounts?afterEvent=${eventId}`),
      await bank.get(evil, `/accounts?afterEvent=${newId()}`),
    ];
    const errorsOf = (answer: typeof foreign): unknown => [answer.statusCode, answer.json<{ errors: [] }>().errors];
    expect(errorsOf(foreign)).toEqual(errorsOf(unknown));
    expect(foreign.statusCode).toBe(400);
    expect(await denials()).toEqual([['event', eventId, 'evil', 'ScopeViolation']]);
  });

  it('separates the results under idempotency keys', async () => {
    const key = { 'idempotency-key': 'one' };
    const body = { accountId: account };
    const first = await bank.post(acme, '/accounts/deposit', body, key);
    const again = await bank.post(acme, '/accounts/deposit', body, key);
    expect([first.statusCode, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
    const foreign = await bank.post(evil, '/accounts/deposit', body, key);
    expect([foreign.statusCode, foreign.headers['idempotency-replayed']]).toEqual([404, undefined]);
    expect(await events()).toHaveLength(2);
  });

  describe('the system stream', () => {
    const read = (who: string): Promise<unknown[]> =>
      runAs(callerOf(`${who} system:read`), async () =>
        (await collect(bank.service.eventStore.readStream(SystemEventStream.streamId))).map(({ envelope }) => envelope),
      );

    it('shows auditors the records of their tenant', async () => {
      await bank.post(evil, '/accounts/open', { accountId: newId() });
      await bank.service.idle();
      for (const tenantId of ['acme', 'evil']) {
        const seen = await read(`${tenantId}/auditor`);
        expect(seen.length).toBeGreaterThan(2);
        for (const envelope of seen) expect(envelope).toMatchObject({ scope: { tenantId } });
      }
    });

    it('shows one record by its id only to callers who see it in the stream', async () => {
      await bank.service.idle();
      const [record] = await records(bank.service, EventAudited);
      const find = (who: string): Promise<unknown> =>
        runAs(callerOf(who), () => bank.service.eventStore.findEvent(record!.id));
      const found = { position: expect.any(Number) as number, envelope: { payload: record } };
      for (const who of ['acme/auditor system:read', '-/olga system:read tenants:act']) {
        expect(await find(who)).toMatchObject(found);
      }
      expect(await runAsHost(() => bank.service.eventStore.findEvent(record!.id))).toMatchObject(found);
      for (const who of [evil, 'evil/auditor system:read', '-/nobody']) expect(await find(who)).toBeNull();
      await expect(find(acme), 'a record of its own tenant').rejects.toMatchObject({ code: 'SVC_ACCESS_DENIED' });
      expect(await denials()).toContainEqual(['event', record!.id, 'evil', 'ScopeViolation']);
    });

    it('shows them also what the host appended to their streams', async () => {
      const event = wrap('bank.Deposited', new Deposited(), { streamId: account });
      await runAsHost(() => bank.service.eventStore.append(account, event));
      await bank.service.idle();
      const audited = (await read('acme/auditor')).filter(
        (envelope) => (envelope as { payload: object }).payload instanceof EventAudited,
      );
      expect(audited.at(-1)).toMatchObject({ payload: { originalEventId: event.id }, scope: null });
      expect(await read('evil/auditor')).toEqual([]);
    });

    it('shows a platform operator the records of all tenants, and records the access', async () => {
      await bank.post(evil, '/accounts/open', { accountId: newId() });
      await bank.service.idle();
      const seen = (await read('-/olga tenants:act')) as { readonly scope: { readonly tenantId?: string } | null }[];
      expect(seen.map(({ scope }) => scope?.tenantId)).toEqual(expect.arrayContaining(['acme', 'evil']));
      expect(await records(bank.service, AccessGranted)).toMatchObject([
        { usedPermission: 'tenants:act', scope: { userId: 'olga' } },
      ]);
    });
  });

  describe('the host', () => {
    it('appends to the streams of every tenant, for the tenant of the stream', async () => {
      const charge = Object.assign(new Charge(), { accountId: account });
      await runAsHost(() => bank.service.dispatcher.invoke(charge));
      await runAs(callerOf(evil), () => runAsHost(() => bank.service.dispatcher.invoke(charge)));
      await bank.service.idle();
      expect((await bank.get(acme, `/accounts/${account}`)).json()).toMatchObject({ events: 3 });
      expect((await bank.post(acme, '/accounts/deposit', { accountId: account })).statusCode).toBe(200);
    });

    it('acts for one tenant if it sets the scope of a command', async () => {
      const charge = Object.assign(new Charge(), { accountId: account });
      await runAsHost(async () => {
        await bank.service.dispatcher.invoke(charge, { scope: { tenantId: 'acme' } });
        const foreign = bank.service.dispatcher.invoke(charge, { scope: { tenantId: 'evil' } });
        await expect(foreign).rejects.toMatchObject({ code: 'SVC_NOT_FOUND' });
      });
      expect(await events()).toHaveLength(2);
    });

    it('is never a caller without an identity', async () => {
      const charge = Object.assign(new Charge(), { accountId: account });
      await expect(bank.service.dispatcher.invoke(charge)).rejects.toMatchObject({ code: 'SVC_NOT_FOUND' });
      await expect(collect(bank.service.eventStore.readAll())).rejects.toMatchObject({ code: 'SVC_UNAUTHENTICATED' });
      await expect(bank.service.deadLetters.list()).rejects.toMatchObject({ code: 'SVC_UNAUTHENTICATED' });
      expect(await bank.service.lens(AccountPerspective).list()).toEqual([]);
    });
  });

  describe('a platform operator', () => {
    const operator = 'platform/olga tenants:act';
    const asAcme = { 'svc-tenant': 'acme' };

    it('acts for a tenant that it names, and is recorded as the caller', async () => {
      expect((await bank.post(operator, '/accounts/deposit', { accountId: account })).statusCode).toBe(404);
      expect((await bank.post(operator, '/accounts/deposit', { accountId: account }, asAcme)).statusCode).toBe(200);
      await bank.service.idle();
      expect((await bank.get(operator, '/accounts', asAcme)).json<{ items: [] }>().items).toHaveLength(1);
      const [granted] = await records(bank.service, AccessGranted);
      expect(granted).toMatchObject({
        resourceType: 'tenant',
        resourceId: 'acme',
        usedPermission: 'tenants:act',
        scope: { tenantId: 'acme', userId: 'olga' },
      });
      const stored = await runAsHost(() => collect(bank.service.eventStore.readStream(account)));
      expect(stored.at(-1)!.envelope.scope).toMatchObject({
        tenantId: 'acme',
        userId: 'olga',
        homeTenantId: 'platform',
      });
    });

    it.each(['evil/mallory', 'evil/admin *:*', 'evil/admin *:act'])('is not %s', async (who) => {
      const answer = await bank.post(who, '/accounts/deposit', { accountId: account }, asAcme);
      expect([answer.statusCode, answer.json<{ type: string }>().type]).toEqual([403, 'urn:svc:problem:forbidden']);
      expect(await denials()).toEqual([['tenant', 'acme', 'evil', 'ScopeViolation']]);
    });

    it('must name a valid tenant', async () => {
      for (const tenant of ['', 'x'.repeat(201), 'ü', 'acme, evil']) {
        const answer = await bank.get(operator, '/accounts', { 'svc-tenant': tenant });
        expect(answer.statusCode).toBe(400);
      }
    });
  });

  it('shows dead letters to the operators of their tenant', async () => {
    const letter = deadLetterOf('acme');
    await bank.service.stop();
    bank = await openBank({ storage: await withDeadLetters(stores, [letter, deadLetterOf('evil')]) });
    const { deadLetters } = bank.service;
    await runAs(callerOf('acme/op system:read system:write'), async () => {
      expect((await deadLetters.list()).map(({ id }) => id)).toEqual([letter.id]);
      expect(await deadLetters.find(letter.id)).toMatchObject({ id: letter.id });
    });
    await runAs(callerOf('evil/op system:read system:write'), async () => {
      expect(await deadLetters.find(letter.id)).toBeNull();
      for (const attempt of [() => deadLetters.replay(letter.id), () => deadLetters.discard(letter.id)]) {
        await expect(attempt()).rejects.toMatchObject({ code: 'SVC_UNKNOWN_DEAD_LETTER' });
      }
    });
    await runAsHost(async () => expect(await deadLetters.list()).toHaveLength(2));
  });

  it('is disabled by shareDataBetweenTenants', async () => {
    bank = await openBank({
      storage: (await stores.fresh())(),
      configure: (service) => service.shareDataBetweenTenants(),
    });
    account = newId();
    await bank.post(acme, '/accounts/open', { accountId: account });
    expect((await bank.post(evil, '/accounts/deposit', { accountId: account })).statusCode).toBe(200);
    await bank.post(evil, '/accounts/open', { accountId: newId() });
    await bank.service.idle();
    expect((await bank.get(evil, `/accounts/${account}`)).json()).toMatchObject({ events: 2 });
    for (const who of [acme, evil]) expect((await bank.get(who, '/holders/smith')).json()).toMatchObject({ events: 2 });
  });

  it('marks the events of a host without callers after isolateTenants', async () => {
    const open = await stores.fresh();
    bank = await openBank({ storage: open() });
    await bank.post(acme, '/accounts/open', { accountId: account });
    await bank.service.stop();
    bank = await openBank({ storage: open(), isOpen: true, configure: (service) => service.isolateTenants() });
    await bank.service.dispatcher.invoke(Object.assign(new Charge(), { accountId: account }));
    const [, charged] = await collect(bank.service.eventStore.readStream(account));
    expect(charged!.envelope).toMatchObject({ scope: null, metadata: { svcTenant: 'acme' } });
  });

  it('is disabled in a service without authentication', async () => {
    bank = await openBank({ storage: (await stores.fresh())(), isOpen: true });
    account = newId();
    await bank.post(null, '/accounts/open', { accountId: account });
    expect((await bank.post(null, '/accounts/deposit', { accountId: account })).statusCode).toBe(200);
    await bank.service.idle();
    expect((await bank.get(null, '/holders/smith')).json()).toMatchObject({ events: 1 });
  });
});

function deadLetterOf(tenantId: string): DeadLetterRecord {
  const id = newId();
  return {
    id: newId(),
    direction: 'incoming',
    cause: 'Unreadable',
    destination: 'bank',
    origin: 'elsewhere',
    message: {
      id,
      type: 'bank.Deposited',
      streamId: newId(),
      body: '{}',
      timestamp: 0,
      correlationId: id,
      causationId: null,
      scope: { tenantId },
      metadata: {},
    },
    errorName: 'Error',
    errorMessage: 'no',
    attempts: 1,
    firstFailedAt: 0,
    lastFailedAt: 0,
  };
}

type Stores = Parameters<Parameters<typeof describeStores>[0]>[0];

async function withDeadLetters(stores: Stores, deadLetters: readonly DeadLetterRecord[]): Promise<Storage> {
  const open = await stores.fresh();
  const before = open();
  await before.commit({ events: [], outgoing: [], delivered: null, received: [], deadLetters });
  await before.close();
  return open();
}
