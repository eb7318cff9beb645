/** The caller in audit records, on every storage, over every transport. */
import { CommandAudited, EventAudited, permission, type SecurityContext } from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { InProcessTransport } from '@svc/core/transport';
import { expect, it } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { ann, collect, PlaceOrder, records, shop, shopEvents, tap } from '../system-events/shop.js';
import { deskCaller, openDesk, TakeNote, ways } from './desk.js';

describeStores((stores) => {
  it.each(ways)('EventAudited.Scope and CommandAudited.Scope contain all security context values (%s)', async (way) => {
    const desk = await openDesk({ storage: (await stores.fresh())() });
    expect(await desk[way].take('acme/ann+clerk,auditor notes:write notes:read', { text: 'x' })).toBe(200);
    const [event] = await records(desk.service, EventAudited);
    const [command] = await records(desk.service, CommandAudited);
    expect(event).toMatchObject({ originalEventType: 'desk.NoteTaken', tenantId: 'acme', userId: 'ann' });
    const all = {
      tenantId: 'acme',
      userId: 'ann',
      userName: 'A Name',
      roles: 'clerk,auditor',
      permissions: 'notes:write,notes:read',
      source: 'test',
    };
    expect([event!.scope, command!.scope]).toEqual([all, all]);
  });

  it('contains every permission of a caller that has very many', async () => {
    const desk = await openDesk({ storage: (await stores.fresh())() });
    const many = Array.from({ length: 2_000 }, (_, i) => permission(`resource-${i}:write`));
    const caller = { ...deskCaller('acme/ann'), permissions: new Set(many) };
    await runAs(caller, () => desk.service.dispatcher.invoke(new TakeNote()));
    const [event] = await records(desk.service, EventAudited);
    expect(event!.scope!['permissions']!.split(',')).toEqual(many);
  });
});

it('publishes no message with the permissions of its caller, however many there are', async () => {
  const transport = new InProcessTransport();
  const wire = await tap(transport.host('wire'));
  const sender = shop()
    .useTransport(transport.host('sender'))
    .addSystemEventAuditing((options) => options.enableAll())
    .start();
  const receiver = shop().useTransport(transport.host('receiver')).acceptEvents(shopEvents).start();
  await receiver.ready();
  const caller: SecurityContext = { ...ann, permissions: new Set([permission('orders:write')]) };
  const { orderId } = (await runAs(caller, () => sender.dispatcher.invoke(new PlaceOrder()))) as { orderId: never };
  await expect.poll(async () => (await collect(receiver.eventStore.readStream(orderId))).length).toBe(1);
  const [own] = await collect(sender.eventStore.readStream(orderId));
  const [received] = await collect(receiver.eventStore.readStream(orderId));
  expect(own!.envelope.scope).toMatchObject({ permissions: 'orders:write' });
  expect(wire.map(({ scope }) => scope)).toEqual([
    { tenantId: 'acme', userId: 'ann', region: 'eu', userName: 'Ann', roles: 'clerk', source: 'test' },
  ]);
  expect(received!.envelope.scope).not.toHaveProperty('permissions');
  await Promise.all([sender.stop(), receiver.stop()]);
});
