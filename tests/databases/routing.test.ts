/** The data of each tenant are in its own database, and in no other. */
import {
  CommandAudited,
  newId,
  PerspectiveRebuildCompleted,
  runAsHost,
  SystemEventStream,
  type Service,
  type Uuid,
} from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { wrap } from '@svc/core/testing';
import { describe, expect, it } from 'vitest';
import { collect, systemEvents } from '../system-events/shop.js';
import {
  AccountPerspective,
  callerOf,
  Deposit,
  Deposited,
  HolderPerspective,
  openBank,
  type Bank,
} from '../tenants/bank.js';
import { describePairs, type Name, type Pair } from './pairs.js';

const acme = 'acme/ann';
const usCorp = 'us-corp/bob';

describePairs((fresh) => {
  let pair: Pair;
  let bank: Bank;

  async function opened(): Promise<{ readonly inEu: Uuid; readonly inUs: Uuid }> {
    pair = await fresh();
    bank = await openBank({ storage: pair.open() });
    const [inEu, inUs] = [newId(), newId()];
    expect((await bank.post(acme, '/accounts/open', { accountId: inEu, holder: 'ann' })).statusCode).toBe(200);
    expect((await bank.post(usCorp, '/accounts/open', { accountId: inUs, holder: 'bob' })).statusCode).toBe(200);
    await bank.service.idle();
    return { inEu, inUs };
  }

  const streamsOf = async (name: Name, type: string): Promise<unknown[]> =>
    (await pair.query(name, `SELECT stream_id FROM svc_events WHERE type = '${type}' ORDER BY sequence`)).map(
      ({ stream_id: id }) => id,
    );
  /** The tenants that a database has events of, in any stream. */
  async function tenantsIn(name: Name): Promise<unknown[]> {
    const rows = await pair.query(name, 'SELECT scope FROM svc_events');
    const scopes = rows.map(
      ({ scope }) => (typeof scope === 'string' ? JSON.parse(scope) : scope) as { tenantId?: string } | null,
    );
    return [...new Set(scopes.map((scope) => scope?.tenantId ?? ''))].toSorted();
  }

  it('stores the events, models, audit records and security records of a tenant in its database only', async () => {
    const { inEu, inUs } = await opened();
    expect([await streamsOf('eu', 'bank.AccountOpened'), await streamsOf('us', 'bank.AccountOpened')]).toEqual([
      [inEu],
      [inUs],
    ]);
    for (const type of ['svc.CommandAudited', 'svc.EventAudited', 'svc.ScopeContextEstablished', 'svc.TenantPlaced']) {
      expect([type, (await streamsOf('us', type)).length]).toEqual([type, 1]);
    }
    expect(await tenantsIn('us')).toEqual(['', 'us-corp']);
    expect(await tenantsIn('eu')).toEqual(['', 'acme']);
    const models = async (who: string): Promise<unknown> =>
      (await bank.get(who, '/holders')).json<{ items: { holder: string }[] }>().items.map(({ holder }) => holder);
    expect([await models(acme), await models(usCorp)]).toEqual([['ann'], ['bob']]);
  });

  it('shows a tenant nothing of a tenant in another database, over any path', async () => {
    const { inEu, inUs } = await opened();
    for (const [who, own, other] of [
      [acme, inEu, inUs],
      [usCorp, inUs, inEu],
    ] as const) {
      expect((await bank.post(who, '/accounts/deposit', { accountId: other })).statusCode).toBe(404);
      expect((await bank.get(who, `/accounts/${own}`)).statusCode).toBe(200);
      expect((await bank.get(who, `/accounts/${other}`)).statusCode).toBe(404);
      expect((await bank.get(who, '/accounts')).json<{ items: unknown[] }>().items).toHaveLength(1);
      expect((await bank.get(who, '/directory')).json<{ items: unknown[] }>().items).toHaveLength(1);
      await runAs(callerOf(`${who} system:read`), async () => {
        const { eventStore } = bank.service;
        expect(await collect(eventStore.readStream(other))).toEqual([]);
        expect(await eventStore.lastPosition(other)).toBe(-1);
        const tenant = callerOf(who).scope.tenantId;
        const all = [
          ...(await collect(eventStore.readAll())),
          ...(await collect(eventStore.readStream(SystemEventStream.streamId))),
        ];
        expect(new Set(all.map(({ envelope }) => envelope.scope?.['tenantId']))).toEqual(new Set([tenant]));
        const lens = bank.service.lens(AccountPerspective);
        expect([await lens.find(other), (await lens.list()).length]).toEqual([null, 1]);
        const [foreign] = await runAsHost(() =>
          bank.service.runInDatabase(who === acme ? 'us' : 'eu', () => collect(eventStore.readStream(other))),
        );
        expect(await eventStore.findEvent(foreign!.envelope.id)).toBeNull();
        await expect(lens.waitFor(foreign!.envelope.id)).rejects.toMatchObject({ code: 'SVC_INVALID_MESSAGE' });
      });
    }
  });

  it('shows an operator of the platform the records of all tenants in the database of its own tenant', async () => {
    await opened();
    const all = await runAs(callerOf('platform/olga system:read tenants:act'), () =>
      collect(bank.service.eventStore.readAll()),
    );
    const tenants = new Set(all.map(({ envelope }) => envelope.scope?.['tenantId']));
    expect([tenants.has('acme'), tenants.has('us-corp')]).toEqual([true, false]);
  });

  it('reads its own writes with afterEvent', async () => {
    const { inUs } = await opened();
    const deposited = await bank.post(usCorp, '/accounts/deposit', { accountId: inUs });
    const event = String(deposited.headers['svc-last-event']);
    expect((await bank.get(usCorp, `/accounts/${inUs}?afterEvent=${event}`)).json()).toMatchObject({ events: 2 });
    const elsewhere = await bank.get(acme, `/accounts?afterEvent=${event}`);
    expect(elsewhere.statusCode).toBe(400);
  });

  it('rejects a caller of an unknown tenant with 403 and writes nothing', async () => {
    await opened();
    const counts = async (): Promise<unknown> => [
      await pair.query('eu', 'SELECT count(*) AS n FROM svc_events'),
      await pair.query('us', 'SELECT count(*) AS n FROM svc_events'),
    ];
    const before = await counts();
    const answers = [
      await bank.post('xeno/eve', '/accounts/open', { accountId: newId() }),
      await bank.get('xeno/eve', '/accounts'),
    ];
    for (const answer of answers) {
      expect([answer.statusCode, answer.json<{ detail: string }>().detail]).toEqual([
        403,
        expect.stringContaining('The tenant "xeno" is unknown') as string,
      ]);
    }
    await expect(
      runAsHost(() => bank.service.dispatcher.invoke(deposit(newId()), { scope: { tenantId: 'xeno' } })),
    ).rejects.toMatchObject({ code: 'SVC_UNKNOWN_TENANT' });
    await bank.service.idle();
    expect(await counts()).toEqual(before);
  });

  it('stores what has no tenant in the default database', async () => {
    await opened();
    await bank.post('-/nobody', '/accounts/open', { accountId: newId(), holder: 'nobody' });
    await bank.get('bad', '/accounts');
    await bank.service.idle();
    expect([
      (await streamsOf('eu', 'bank.AccountOpened')).length,
      (await streamsOf('us', 'bank.AccountOpened')).length,
    ]).toEqual([2, 1]);
    expect([
      (await streamsOf('eu', 'svc.AuthenticationFailed')).length,
      (await streamsOf('us', 'svc.AuthenticationFailed')).length,
    ]).toEqual([1, 0]);
  });

  it('has the result of an idempotency key in the database of its tenant', async () => {
    await opened();
    const accountId = newId();
    const post = () => bank.post(usCorp, '/accounts/open', { accountId }, { 'idempotency-key': 'first' });
    const [first, second] = [await post(), await post()];
    expect([first.statusCode, second.statusCode, second.headers['idempotency-replayed']]).toEqual([200, 200, 'true']);
    const keys = (name: Name) => pair.query(name, 'SELECT id FROM svc_idempotency');
    expect([(await keys('eu')).length, (await keys('us')).length]).toEqual([0, 1]);
  });

  describe('the host', () => {
    it('works for the tenant that it names', async () => {
      const { inUs } = await opened();
      await runAsHost(() => bank.service.dispatcher.invoke(deposit(inUs), { scope: { tenantId: 'us-corp' } }));
      await runAsHost(() => {
        const scope = { tenantId: 'us-corp' };
        return bank.service.eventStore.append(inUs, wrap('bank.Deposited', new Deposited(), { scope }));
      });
      expect([(await streamsOf('eu', 'bank.Deposited')).length, await streamsOf('us', 'bank.Deposited')]).toEqual([
        0,
        [inUs, inUs],
      ]);
      await bank.service.idle();
      const lens = bank.service.lens(HolderPerspective);
      expect(await runAsHost(() => lens.of({ tenantId: 'us-corp' }).find('bob'))).toMatchObject({ holder: 'bob' });
      expect(await runAsHost(() => lens.of({ tenantId: 'acme' }).find('bob'))).toBeNull();
    });

    it('reads the default database, one that it chooses by name or tenant, or that of the request it is part of', async () => {
      const { inEu, inUs } = await opened();
      const { service } = bank;
      const found = async (): Promise<boolean[]> => [
        (await service.eventStore.lastPosition(inEu)) === 0,
        (await service.eventStore.lastPosition(inUs)) === 0,
      ];
      const [eu, us] = [
        [true, false],
        [false, true],
      ];
      expect(await runAsHost(found)).toEqual(eu);
      expect(await runAsHost(() => service.runInDatabase('us', found))).toEqual(us);
      expect(await runAsHost(() => service.runInDatabaseOf('us-corp', found))).toEqual(us);
      expect(await runAs(callerOf(usCorp), () => runAsHost(found))).toEqual(us);
      expect(await runAs(callerOf(usCorp), () => runAsHost(() => service.runInDatabase('eu', found)))).toEqual(eu);
      // A choice of the host gives a caller nothing.
      expect(await service.runInDatabase('us', () => runAs(callerOf(acme), found))).toEqual(eu);
      expect(
        await runAsHost(() => service.runInDatabase('us', () => runAs(callerOf(acme), () => runAsHost(found)))),
      ).toEqual(eu);
      expect(() => service.runInDatabase('asia', found)).toThrow(
        expect.objectContaining({ code: 'SVC_UNKNOWN_DATABASE' }),
      );
    });

    it('runs tag hooks in the database of their message', async () => {
      pair = await fresh();
      const seen = new Map<string, number>();
      bank = await openBank({
        storage: pair.open(),
        configure: (service) =>
          void service.addTagHook('sys-audit', async ({ type, fields }) => {
            const stream = fields['originalStreamId'];
            if (type === 'svc.EventAudited')
              seen.set(String(stream), await service.eventStore.lastPosition(stream as Uuid));
          }),
      });
      const [inEu, inUs] = [newId(), newId()];
      await bank.post(acme, '/accounts/open', { accountId: inEu });
      await bank.post(usCorp, '/accounts/open', { accountId: inUs });
      await bank.service.idle();
      expect(seen).toEqual(
        new Map([
          [inEu, 0],
          [inUs, 0],
        ]),
      );
    });

    it('rebuilds a perspective in all databases', async () => {
      const { inEu, inUs } = await opened();
      const result = await bank.service.rebuildPerspective(AccountPerspective);
      expect(result).toEqual({ streamsProcessed: 2, eventsReplayed: 2 });
      for (const name of ['eu', 'us'] as const) {
        const events = await runAsHost(() => bank.service.runInDatabase(name, () => systemEvents(bank.service)));
        expect(events.filter(({ envelope }) => envelope.payload instanceof PerspectiveRebuildCompleted)).toHaveLength(
          1,
        );
        expect(events.filter(({ envelope }) => envelope.payload instanceof CommandAudited)).toHaveLength(1);
      }
      expect((await bank.get(acme, `/accounts/${inEu}`)).statusCode).toBe(200);
      expect((await bank.get(usCorp, `/accounts/${inUs}`)).statusCode).toBe(200);
    });
  });

  it('migrates all databases at start', async () => {
    await opened();
    for (const name of ['eu', 'us'] as const) {
      const tables = await pair.query(name, "SELECT key FROM svc_schema_migrations WHERE key LIKE 'perspective%'");
      expect(tables).toHaveLength(3);
    }
  });

  describe('the place of a tenant', () => {
    it('is confirmed again after a restart', async () => {
      const { inUs } = await opened();
      await bank.service.stop();
      bank = await openBank({ storage: pair.open() });
      expect((await bank.post(usCorp, '/accounts/deposit', { accountId: inUs })).statusCode).toBe(200);
      expect(await streamsOf('us', 'svc.TenantPlaced')).toHaveLength(1);
    });

    it('cannot change: another database than the one with the data is refused, and nothing is written', async () => {
      const { inUs } = await opened();
      await bank.service.stop();
      bank = await openBank({ storage: pair.open(() => 'eu') });
      const answer = await bank.post(usCorp, '/accounts/open', { accountId: newId() });
      expect(answer.statusCode).toBe(500);
      await expect(
        runAsHost(() => bank.service.dispatcher.invoke(deposit(inUs), { scope: { tenantId: 'us-corp' } })),
      ).rejects.toMatchObject({
        code: 'SVC_TENANT_MOVED',
        message: expect.stringContaining(
          'The database us holds the data of the tenant "us-corp", but the configuration names eu.',
        ) as string,
      });
      expect(await tenantsIn('eu')).toEqual(['', 'acme']);
      expect((await bank.post(acme, '/accounts/open', { accountId: newId() })).statusCode).toBe(200);
    });

    it('cannot change for what has no tenant', async () => {
      await opened();
      await bank.service.stop();
      let service: Service | undefined;
      const starting = openBank({
        storage: { ...pair.open(), default: 'us' },
        configure: (configured) => void (service = configured),
      });
      await expect(starting).rejects.toMatchObject({ code: 'SVC_TENANT_MOVED' });
      await service!.stop();
    });
  });
});

function deposit(accountId: Uuid): Deposit {
  return Object.assign(new Deposit(), { accountId });
}
