/** A message of another host acts for the tenant that it names, and reaches no stream of other tenants. */
import { newId, runAsHost, type Uuid } from '@svc/core';
import { inboxOf, InProcessTransport } from '@svc/core/transport';
import { transportMessage } from '@svc/core/testing';
import { beforeEach, expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { collect } from '../system-events/shop.js';
import { Charge, openBank, type Bank } from './bank.js';

describeStores((stores) => {
  let transport: InProcessTransport;
  let bank: Bank;
  let account: Uuid;

  beforeEach(async () => {
    transport = new InProcessTransport();
    bank = await openBank({
      storage: (await stores.fresh())(),
      configure: (service) =>
        service
          .useTransport(transport.host('bank'))
          .acceptEvents({ from: 'branch', namespaces: ['bank'] })
          .acceptCommands({ from: 'branch', commands: [Charge] }),
    });
    account = newId();
    await bank.post('acme/ann', '/accounts/open', { accountId: account });
  });

  const events = (): Promise<number> =>
    runAsHost(async () => (await collect(bank.service.eventStore.readStream(account))).length);

  async function receive(
    tenantId: string,
    message: { type: string; destination: string; body: string },
  ): Promise<void> {
    const scope = { tenantId, userId: 'bob' };
    const sent = transportMessage({ ...message, streamId: account, origin: 'branch', scope });
    await transport.host('branch').publish([sent]);
    await transport.idle();
    await bank.service.idle();
  }

  it('appends an event of another host to a stream of its tenant, and dead-letters one for another tenant', async () => {
    const deposited = { type: 'bank.Deposited', destination: 'bank', body: '{}' };
    await receive('evil', deposited);
    expect(await events()).toBe(1);
    const letters = await runAsHost(() => bank.service.deadLetters.list());
    expect(letters).toMatchObject([{ cause: 'Refused', origin: 'branch', message: { scope: { tenantId: 'evil' } } }]);
    await expect(runAsHost(() => bank.service.deadLetters.replay(letters[0]!.id))).rejects.toMatchObject({
      code: 'SVC_NOT_FOUND',
    });
    await receive('acme', deposited);
    expect(await events()).toBe(2);
  });

  it('runs a command of another host for its tenant', async () => {
    const charge = { type: 'bank.Charge', destination: inboxOf('bank'), body: JSON.stringify({ accountId: account }) };
    await receive('evil', charge);
    expect(await events()).toBe(1);
    const letters = await runAsHost(() => bank.service.deadLetters.list());
    expect(letters).toMatchObject([{ cause: 'Refused', attempts: 1, message: { type: 'bank.Charge' } }]);
    await receive('acme', charge);
    expect(await events()).toBe(2);
  });
});
