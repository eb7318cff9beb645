/** Tag hooks on each storage: on PostgreSQL the database can append system events by itself. */
import {
  newId,
  SystemEventStream,
  type Authenticator,
  type CommandAudited,
  type EventAudited,
  type Service,
  type StreamEvent,
  type TaggedMessage,
} from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { wrap } from '@svc/core/testing';
import { expect, it, onTestFinished } from 'vitest';
import { describeStores } from '../perspectives/storages.js';
import { ann, CacheCleared, OrderPaid, OrderPlaced, PayOrder, PlaceOrder, shop, type Receive } from './shop.js';

/** Makes callers authenticate: code that runs in no context is not the host then. */
const noCredential: Authenticator = {
  scheme: 'Test',
  credentialIn: () => null,
  authenticate: () => Promise.resolve({ context: ann }),
};

describeStores((stores) => {
  async function started(register: (service: Service) => Service, receive?: Receive): Promise<Service> {
    const service = register(shop(receive).useStorage((await stores.fresh())())).start();
    onTestFinished(() => service.stop());
    await service.ready();
    return service;
  }

  it("tag hooks run for tagged messages: also for the application's own system events", async () => {
    const seen: TaggedMessage[] = [];
    const service = await started((registered) =>
      registered
        .addSystemEventAuditing()
        .addTagHook('cache', (message) => void seen.push(message))
        .addTagHook('orders', (message) => void seen.push(message)),
    );
    await service.emitter.emit(Object.assign(new CacheCleared(), { what: 'prices' }));
    await service.idle();
    expect(seen).toMatchObject([{ tag: 'cache', type: 'shop.CacheCleared', fields: { what: 'prices' } }]);
    await service.dispatcher.invoke(Object.assign(new PlaceOrder(), { note: 'tea' }));
    await service.idle();
    expect(seen.slice(1)).toMatchObject([{ tag: 'orders', type: 'shop.OrderPlaced', fields: { note: 'tea' } }]);
  });

  it('a hook reads the body in the stored audit record, by the id in its message', async () => {
    const [messages, read]: [TaggedMessage[], (StreamEvent | null)[]] = [[], []];
    const service: Service = await started((registered) =>
      registered
        .addAuthentication(noCredential)
        .addSystemEventAuditing()
        .addTagHook('sys-audit', async (message) => {
          messages.push(message);
          read.push(await service.eventStore.findEvent(message.id));
        }),
    );
    const note = 'x'.repeat(100_000);
    const command = Object.assign(new PlaceOrder(), { note });
    await runAs(ann, async () => {
      await service.dispatcher.invoke(command);
      await service.dispatcher.invoke(new PayOrder());
    });
    await service.idle();
    expect(messages.map(({ type }) => type)).toEqual([
      'svc.EventAudited',
      'svc.CommandAudited',
      'svc.EventAudited',
      'svc.CommandAudited',
    ]);
    expect(read.map((event) => event?.envelope.id)).toEqual(messages.map(({ id }) => id));
    expect(
      read.map((event) => event?.position),
      'the message says where the record is',
    ).toEqual(messages.map(({ position }) => position));
    for (const { streamId, fields } of messages) {
      expect(streamId).toBe(SystemEventStream.streamId);
      expect(fields).not.toHaveProperty('originalBody');
      expect(fields).not.toHaveProperty('commandBody');
    }
    const [event, audited] = read.map((found) => found!.envelope.payload) as [EventAudited, CommandAudited];
    expect(event.originalBody).toEqual({ note });
    expect(audited.commandBody).toEqual({ orderId: command.orderId, note });
  });

  it('a hook message has the position of each event of one record in its stream', async () => {
    const seen: TaggedMessage[] = [];
    const [a, b] = [newId(), newId()];
    const service = await started(
      (registered) => registered.addTagHook('orders', (message) => void seen.push(message)),
      (_command, context) => [a, b, a, a].forEach((id) => context.append(id, new OrderPlaced())),
    );
    await service.eventStore.append(a, wrap('shop.OrderPaid', new OrderPaid(), { streamId: a }));
    await service.dispatcher.invoke(new PlaceOrder());
    await service.idle();
    expect(seen.map(({ streamId, position }) => [streamId, position])).toEqual([
      [a, 1],
      [b, 0],
      [a, 2],
      [a, 3],
    ]);
  });
});
