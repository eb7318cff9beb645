import { CommandRejectedError, createService, ServiceError } from '@svc/core';
import { InProcessTransport } from '@svc/core/transport';
import type { Transport } from '@svc/core/transport';
import { sqlite } from '@svc/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseFile, eventsOf, order, startHost, typesOf } from './hosts.js';
import { billingRegistry, CardCharged, charge, ChargeCard, OrderPlaced, ordersRegistry } from './shops.js';

describe('sending', () => {
  it('is rolled back when the command fails', async () => {
    const transport = new InProcessTransport();
    const orders = await startHost(
      ordersRegistry((_command, context) => {
        context.send(new ChargeCard(), { to: 'billing' });
        throw new CommandRejectedError('No.');
      }),
      transport.host('orders'),
    );
    const billing = await startHost(billingRegistry(), transport.host('billing'));
    await expect(order(orders)).rejects.toThrow('No.');
    await orders.idle();
    await transport.idle();
    expect(await typesOf(billing)).toEqual([]);
    expect(await orders.deadLetters.list()).toEqual([]);
  });

  it('can go to this host, and runs in its own unit of work', async () => {
    const transport = new InProcessTransport();
    const registry = billingRegistry((command, context) => {
      charge(command, context);
      if (command.amount > 1) context.send(Object.assign(new ChargeCard(), { amount: 1 }), { to: 'billing' });
    });
    const billing = await startHost(registry, transport.host('billing'));
    await billing.dispatcher.invoke(Object.assign(new ChargeCard(), { amount: 5 }));
    await expect
      .poll(async () => (await eventsOf(billing)).map(({ payload }) => (payload as CardCharged).amount))
      .toEqual([5, 1]);
    const [first, second] = await eventsOf(billing);
    expect(second!.correlationId).toBe(first!.correlationId);
  });

  it('waits for an unavailable broker, across a restart of the host', async () => {
    const file = databaseFile();
    const unavailable: Transport = {
      ...new InProcessTransport().host('orders'),
      publish: () => Promise.reject(new ServiceError('SVC_TRANSPORT_UNAVAILABLE', 'It is unavailable.')),
    };
    const before = await startHost(ordersRegistry(), unavailable, { storage: sqlite({ file }) });
    await order(before, { amount: 9 });
    await before.stop();
    const transport = new InProcessTransport();
    const billing = await startHost(billingRegistry(), transport.host('billing'));
    await startHost(ordersRegistry(), transport.host('orders'), { storage: sqlite({ file }) });
    await expect.poll(() => typesOf(billing)).toEqual(['billing.CardCharged']);
  });

  it.each([
    ['an event', (): object => new OrderPlaced(), 'billing', 'SVC_UNKNOWN_MESSAGE'],
    ['an unregistered message', (): object => new CardCharged(), 'billing', 'SVC_UNKNOWN_MESSAGE'],
    ['to an empty name', (): object => new ChargeCard(), '', 'SVC_INVALID_HOST_NAME'],
    ['to an invalid name', (): object => new ChargeCard(), 'a host/*', 'SVC_INVALID_HOST_NAME'],
  ])('is rejected at once: %s', async (_what, make, to, code) => {
    const registry = ordersRegistry((_command, context) => context.send(make(), { to }));
    const orders = await startHost(registry, new InProcessTransport().host('orders'));
    await expect(order(orders)).rejects.toMatchObject({ code });
  });

  it('requires a transport that transports commands', async () => {
    const alone = createService(ordersRegistry()).addCommandsOf(billingRegistry()).start();
    onTestFinished(() => alone.stop());
    await expect(order(alone)).rejects.toMatchObject({ code: 'SVC_INBOX_UNSUPPORTED' });
    expect(await typesOf(alone)).toEqual([]);
  });
});
