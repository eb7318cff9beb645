import {
  CommandRejectedError,
  createService,
  currentSecurityContext,
  InMemoryStorage,
  newId,
  SystemEventStream,
  type SecurityContext,
  type Service,
} from '@svc/core';
import { InProcessTransport } from '@svc/core/transport';
import { StorageUnavailableError } from '@svc/core/storage';
import { collect } from '@svc/core/testing';
import { sqlite } from '@svc/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chargeMessage, databaseFile, eventsOf, ManualTransport, startHost, typesOf } from './hosts.js';
import { billingRegistry, CardCharged, ChargeCard, ordersRegistry, PlaceOrder } from './shops.js';

describe('accepting', () => {
  it('is configured for each command: others are rejected with a cause, and run when they are replayed after acceptance', async () => {
    const file = databaseFile();
    const transport = new ManualTransport();
    const closed = createService(billingRegistry())
      .useStorage(sqlite({ file }))
      .useTransport(transport)
      .addReceptor(PlaceOrder, { receive: () => undefined }, 'PlaceOrderReceptor')
      .addCommandsOf(ordersRegistry())
      .acceptCommands({ from: 'orders', commands: [PlaceOrder] })
      .start();
    onTestFinished(() => closed.stop());
    await closed.ready();
    const message = chargeMessage();
    await transport.receive(message);
    await transport.receive(chargeMessage({ type: 'billing.CardCharged' }));
    await transport.receive(chargeMessage({ type: 'other.Unknown' }));
    const letters = await closed.deadLetters.list();
    expect(letters).toMatchObject([
      { cause: 'OriginNotAccepted', message: { id: message.id }, attempts: 1 },
      { cause: 'TypeMismatch', message: { type: 'billing.CardCharged' } },
      { cause: 'OriginNotAccepted', message: { type: 'other.Unknown' } },
    ]);
    expect(letters[0]!.errorMessage).toMatch(/"billing\.ChargeCard" is not accepted from "orders"/);
    await expect(closed.deadLetters.replay(letters[0]!.id)).rejects.toMatchObject({ code: 'SVC_ORIGIN_NOT_ACCEPTED' });
    await closed.stop();
    const open = await startHost(billingRegistry(), new ManualTransport(), { storage: sqlite({ file }) });
    await open.deadLetters.replay(letters[0]!.id);
    expect(await typesOf(open)).toEqual(['billing.CardCharged']);
  });

  it('dead-letters commands that are unreadable or rejected by their receptor at once', async () => {
    const transport = new ManualTransport();
    const billing = await startHost(
      billingRegistry(() => {
        throw new CommandRejectedError('The card is not valid.');
      }),
      transport,
    );
    for (const body of ['{"amount":', '{"amount":"12"}', '{"amount":12}']) {
      await transport.receive(chargeMessage({ body }));
    }
    const letters = await billing.deadLetters.list();
    expect(letters.map(({ cause, errorMessage }) => [cause, errorMessage])).toEqual([
      ['Unreadable', 'The text is not JSON.'],
      ['Unreadable', expect.stringContaining('amount')],
      ['Refused', 'The card is not valid.'],
    ]);
    expect(await typesOf(billing)).toEqual([]);
  });

  it('retries a command that reads an unreadable event, because the command is not at fault', async () => {
    const transport = new ManualTransport();
    const streamId = newId();
    const billing = await startHost(
      billingRegistry(async (_command, context) => {
        await collect(context.readStream(streamId));
        context.append(streamId, Object.assign(new CardCharged(), { amount: Number.NaN }));
      }),
      transport,
    );
    await transport.receive(chargeMessage());
    await expect(transport.receive(chargeMessage())).rejects.toMatchObject({ code: 'SVC_UNREADABLE_EVENT' });
    expect(await billing.deadLetters.list()).toEqual([]);
  });

  it('waits for an unavailable storage, and counts no attempt', async () => {
    class Flaky extends InMemoryStorage {
      isUnavailable = false;
      override commit(record: Parameters<InMemoryStorage['commit']>[0]): void {
        if (this.isUnavailable) throw new StorageUnavailableError('none', new Error('It is unavailable.'));
        super.commit(record);
      }
    }
    const storage = new Flaky();
    const transport = new ManualTransport();
    const billing = await startHost(billingRegistry(), transport, { storage });
    storage.isUnavailable = true;
    const message = chargeMessage();
    for (let i = 0; i < 30; i++) {
      await expect(transport.receive(message)).rejects.toMatchObject({ code: 'SVC_STORAGE_UNAVAILABLE' });
    }
    storage.isUnavailable = false;
    await transport.receive(message);
    expect(await typesOf(billing)).toEqual(['billing.CardCharged']);
    expect(await billing.deadLetters.list()).toEqual([]);
  });

  it('lets a receptor act for the user that the sender names, without the permissions that the message claims', async () => {
    const transport = new ManualTransport();
    const seen: (SecurityContext | null)[] = [];
    const denied: unknown[] = [];
    let billing: Service | null = null;
    const registry = billingRegistry(async () => {
      seen.push(currentSecurityContext());
      await collect(billing!.eventStore.readStream(SystemEventStream.streamId)).catch((error) => denied.push(error));
      await billing!.deadLetters.list().catch((error) => denied.push(error));
    });
    billing = await startHost(registry, transport);
    const scope = {
      tenantId: 'acme',
      userId: 'ann',
      region: 'north',
      allowedPrincipals: 'ann,bob',
      userName: 'Ann',
      roles: 'admin',
      permissions: '*:*',
      source: 'jwt',
    };
    await transport.receive(chargeMessage({ scope }));
    await transport.receive(chargeMessage({ scope: null }));
    expect(seen).toEqual([
      {
        scope: {
          tenantId: 'acme',
          userId: 'ann',
          allowedPrincipals: ['ann', 'bob'],
          extensions: { region: 'north' },
        },
        roles: new Set(),
        permissions: new Set(),
        source: 'inbox',
        userName: 'Ann',
      },
      { scope: {}, roles: new Set(), permissions: new Set(), source: 'inbox' },
    ]);
    expect(denied).toHaveLength(4);
    for (const error of denied) expect(error).toMatchObject({ code: 'SVC_ACCESS_DENIED' });
  });

  it('stores readable events, whatever the metadata of a command contain', async () => {
    const transport = new ManualTransport();
    const billing = await startHost(billingRegistry(), transport);
    await transport.receive(
      chargeMessage({ metadata: { schemaVersion: 7, origin: 'mars', traceparent: 't', note: 1 } }),
    );
    expect((await eventsOf(billing)).map(({ metadata }) => metadata)).toEqual([{ traceparent: 't', note: 1 }]);
  });

  it('requires a receptor, and a transport with a name and inboxes', () => {
    const withoutReceptor = createService(ordersRegistry())
      .useTransport(new ManualTransport())
      .addCommandsOf(billingRegistry())
      .acceptCommands({ from: 'orders', commands: [ChargeCard] });
    expect(() => withoutReceptor.start()).toThrow(expect.objectContaining({ code: 'SVC_COMMAND_WITHOUT_RECEPTOR' }));
    for (const transport of [null, new InProcessTransport()]) {
      const service = createService(billingRegistry()).acceptCommands({ from: 'orders', commands: [ChargeCard] });
      if (transport !== null) service.useTransport(transport);
      expect(() => service.start()).toThrow(expect.objectContaining({ code: 'SVC_INBOX_UNSUPPORTED' }));
    }
  });

  it('is included in the check of the subscriptions', async () => {
    const transport = new ManualTransport();
    let isUp = true;
    transport.openInbox = () =>
      Promise.resolve({
        get isUp() {
          return isUp;
        },
        close: () => Promise.resolve(),
      });
    const billing = await startHost(billingRegistry(), transport);
    const status = async (): Promise<string> =>
      (await billing.health.run(({ name }) => name === 'subscriptions')).status;
    expect(await status()).toBe('Healthy');
    isUp = false;
    await expect.poll(status).toBe('Unhealthy');
  });
});
