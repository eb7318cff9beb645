/** An event whose id would be behind those of its stream gets a new one, and nobody notices. */
import { createService, EventAudited, newId, SystemEventStream, type Service, type Uuid } from '@svc/core';
import { CommandRequest } from '@svc/core/hosting';
import { InProcessTransport, type TransportMessage } from '@svc/core/transport';
import { wrap } from '@svc/core/testing';
import { expect, it, onTestFinished } from 'vitest';
import { shopWith } from '../perspectives/perspective-shop.js';
import { describeStores } from '../perspectives/storages.js';
import { collect, OrderPlaced, PlaceOrder, shopRegistry, type Receive } from '../system-events/shop.js';

const placed = (note: string): OrderPlaced => Object.assign(new OrderPlaced(), { note });

async function idsIn(service: Service, streamId: Uuid): Promise<Uuid[]> {
  return (await collect(service.eventStore.readStream(streamId))).map(({ envelope }) => envelope.id);
}

describeStores((stores) => {
  it('follows the last event of its stream, and audit records and messages name the new id', async () => {
    const open = await stores.fresh();
    const sent: TransportMessage[] = [];
    const transport = new InProcessTransport();
    const publish = transport.publish.bind(transport);
    transport.publish = async (messages) => {
      sent.push(...messages);
      await publish(messages);
    };
    const service = shopWith([], open()).useTransport(transport).start();
    const streamId = newId();
    const early = wrap('shop.OrderPlaced', placed('early'), { streamId });
    const late = wrap('shop.OrderPlaced', placed('late'), { streamId });
    await service.eventStore.append(streamId, late);
    await service.eventStore.append(streamId, early);
    await service.idle();
    const [first, second] = (await idsIn(service, streamId)) as [Uuid, Uuid];
    expect(first).toBe(late.id);
    expect(second > first).toBe(true);
    expect(sent.map(({ id }) => id)).toEqual([first, second]);
    const audited = (await collect(service.eventStore.readStream(SystemEventStream.streamId)))
      .map(({ envelope }) => envelope.payload)
      .filter((payload) => payload instanceof EventAudited);
    expect(audited.map(({ originalEventId }) => originalEventId)).toEqual([first, second]);
  });

  it('is the one that a command names as its last', async () => {
    const open = await stores.fresh();
    const streamId = newId();
    // Another event overtakes that of the command, between its id and its commit.
    const handle: Receive = async (_command, context) => {
      context.append(streamId, placed('early'));
      await service.eventStore.append(streamId, wrap('shop.OrderPlaced', placed('late'), { streamId }));
      return { orderId: streamId };
    };
    const service = createService(shopRegistry(handle)).useStorage(open()).start();
    onTestFinished(() => service.stop());
    const signal = new CommandRequest();
    await service.dispatcher.invoke(Object.assign(new PlaceOrder(), { orderId: streamId }), { signal });
    const stream = await collect(service.eventStore.readStream(streamId));
    expect(stream.map(({ envelope }) => (envelope.payload as OrderPlaced).note)).toEqual(['late', 'early']);
    const ids = stream.map(({ envelope }) => envelope.id);
    expect(ids).toEqual(ids.toSorted());
    expect(signal.lastEventId).toBe(ids.at(-1));
  });
});
