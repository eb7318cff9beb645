/** Messages of all databases are published, and received messages go to the database of their tenant. */
import { newId, runAsHost, type Uuid } from '@svc/core';
import { inboxOf, InProcessTransport, type TransportMessage } from '@svc/core/transport';
import { transportMessage } from '@svc/core/testing';
import { beforeEach, expect, it } from 'vitest';
import { Charge, openBank, type Bank } from '../tenants/bank.js';
import { describePairs, regionOf, type Name, type Pair } from './pairs.js';

const deposited = { type: 'bank.Deposited', destination: 'bank', body: '{}' };

describePairs((fresh) => {
  let transport: InProcessTransport;
  let pair: Pair;
  let bank: Bank;
  let known: string;
  const [broken, later] = ['broken', 'later'];

  beforeEach(async () => {
    transport = new InProcessTransport();
    pair = await fresh();
    known = 'nothing';
    bank = await openBank({
      storage: pair.open((tenant) => {
        if (tenant === broken) throw new Error('No list of tenants.');
        // A newer version of the service has another database.
        if (tenant === later) return 'apac' as Name;
        return tenant === known ? 'us' : regionOf(tenant);
      }),
      configure: (service) =>
        service
          .reportTo(() => {})
          .useTransport(transport.host('bank'))
          .acceptEvents({ from: 'branch', namespaces: ['bank'] })
          .acceptCommands({ from: 'branch', commands: [Charge] }),
    });
  });

  async function receive(...messages: readonly Partial<TransportMessage>[]): Promise<void> {
    await transport.host('branch').publish(messages.map((one) => transportMessage({ origin: 'branch', ...one })));
    await transport.idle();
    await bank.service.idle();
  }
  const of = (tenantId: string) => ({ scope: { tenantId, userId: 'bob' } });
  const streams = async (name: Name): Promise<unknown[]> =>
    (await pair.query(name, "SELECT stream_id FROM svc_events WHERE type LIKE 'bank.%' ORDER BY sequence")).map(
      ({ stream_id: id }) => id,
    );
  const rows = async (name: Name, table: string): Promise<number> =>
    (await pair.query(name, `SELECT 1 FROM ${table}`)).length;
  const letters = (name: Name) =>
    runAsHost(() => bank.service.runInDatabase(name, () => bank.service.deadLetters.list()));

  it('publishes the outbox of each database', async () => {
    const published: TransportMessage[] = [];
    await transport
      .host('wire')
      .subscribe({ name: 'wire', topics: [{ topic: 'bank', types: ['bank.AccountOpened'] }] }, (messages) => {
        published.push(...messages);
        return Promise.resolve([]);
      });
    const [inEu, inUs] = [newId(), newId()];
    await bank.post('acme/ann', '/accounts/open', { accountId: inEu });
    await bank.post('us-corp/bob', '/accounts/open', { accountId: inUs });
    await bank.service.idle();
    await transport.idle();
    expect(new Map(published.map(({ streamId, origin }) => [streamId, origin]))).toEqual(
      new Map([
        [inEu, 'bank'],
        [inUs, 'bank'],
      ]),
    );
    expect(published).toHaveLength(2);
    expect([await rows('eu', 'svc_outbox'), await rows('us', 'svc_outbox')]).toEqual([0, 0]);
  });

  it('divides a batch of received events, each once', async () => {
    const [inEu, inUs, none] = [newId(), newId(), newId()];
    const batch = [
      { ...deposited, id: newId(), streamId: inEu, ...of('acme') },
      { ...deposited, id: newId(), streamId: inUs, ...of('us-corp') },
      { ...deposited, id: newId(), streamId: none, scope: null },
    ];
    await receive(...batch);
    await receive(...batch);
    expect([await streams('eu'), await streams('us')]).toEqual([[inEu, none], [inUs]]);
    expect([await rows('eu', 'svc_inbox'), await rows('us', 'svc_inbox')]).toEqual([2, 1]);
  });

  it('runs a received command in the database of its tenant', async () => {
    const accountId = newId();
    await bank.post('us-corp/bob', '/accounts/open', { accountId });
    await receive({
      type: 'bank.Charge',
      destination: inboxOf('bank'),
      body: JSON.stringify({ accountId }),
      ...of('us-corp'),
    });
    expect([await streams('eu'), await streams('us')]).toEqual([[], [accountId, accountId]]);
    expect(await rows('us', 'svc_inbox')).toBe(1);
  });

  it('rejects messages of an unknown tenant to the dead letters of the default database', async () => {
    const [streamId, accountId] = [newId(), newId()];
    const charge = { type: 'bank.Charge', destination: inboxOf('bank'), body: JSON.stringify({ accountId }) };
    await receive({ ...deposited, streamId, ...of('xeno') }, { ...deposited, streamId: accountId, ...of('acme') });
    await receive({ ...charge, ...of('xeno') });
    expect([await streams('eu'), await streams('us')]).toEqual([[accountId], []]);
    const rejected = await letters('eu');
    expect(rejected.map(({ cause, message }) => [cause, message.type])).toEqual([
      ['UnknownTenant', 'bank.Deposited'],
      ['UnknownTenant', 'bank.Charge'],
    ]);
    expect(await letters('us')).toEqual([]);
    await expect(replay(rejected[0]!.id)).rejects.toMatchObject({ code: 'SVC_UNKNOWN_TENANT' });

    // The tenant becomes known: the replay stores its messages in its database, and resolves the dead letters in the other.
    known = 'xeno';
    for (const { id } of rejected) await replay(id);
    expect([await streams('eu'), await streams('us')]).toEqual([[accountId], [streamId, accountId]]);
    expect([await letters('eu'), await letters('us')]).toEqual([[], []]);
    await expect(replay(rejected[0]!.id)).rejects.toMatchObject({ code: 'SVC_UNKNOWN_DEAD_LETTER' });
  });

  it('rejects messages whose database this host does not have, and stores the others of the batch', async () => {
    const [streamId, accountId] = [newId(), newId()];
    const charge = { type: 'bank.Charge', destination: inboxOf('bank'), body: JSON.stringify({ accountId }) };
    const one = (tenant: string) => ({ ...deposited, streamId: newId(), ...of(tenant) });
    const batch = [one(later), one(broken), one('acme')];
    await receive(...batch, { ...deposited, streamId, ...of('us-corp') });
    await receive({ ...charge, ...of(later) });
    expect([await streams('eu'), await streams('us')]).toEqual([[batch[2]!.streamId], [streamId]]);
    expect((await letters('eu')).map(({ cause, errorMessage }) => [cause, errorMessage])).toEqual([
      ['UnknownTenant', 'The service has no database "apac". It has eu, us.'],
      ['UnknownTenant', 'No list of tenants.'],
      ['UnknownTenant', 'The service has no database "apac". It has eu, us.'],
    ]);
  });

  const replay = (id: Uuid): Promise<void> => runAsHost(() => bank.service.deadLetters.replay(id));
});
