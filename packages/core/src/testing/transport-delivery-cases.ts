import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import { asSent, aWhile, interest, listen, numbered, transportMessage } from './transport-messages.js';
import type { TransportCase } from './transport-case.js';

/** Delivery and order. */
export const deliveryCases: readonly TransportCase[] = [
  {
    name: 'delivers messages unchanged',
    async run(broker) {
      const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
      const { received, has } = await listen(receiver);
      const messages = [
        transportMessage({
          body: JSON.stringify({ text: 'ß 日本 \u0000 "quoted"', number: '12345678901234567890.5' }),
          causationId: newId(),
          scope: { tenantId: 'acme', userId: null, 'a key': 'ü' },
          metadata: {
            ReceptorName: 'PlaceOrderReceptor',
            nested: { list: [1, null, 'x'] },
            traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
            tracestate: 'vendor=value',
          },
        }),
        transportMessage({ type: 'test.more.Happened', destination: 'test.more', body: `"${'x'.repeat(100_000)}"` }),
      ];
      await sender.publish(messages);
      await has(2);
      assert.deepEqual(
        received.map(asSent).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        messages,
      );
    },
  },
  {
    name: 'accepts an empty batch',
    async run(broker) {
      const transport = await broker.open('sender');
      await transport.publish([]);
    },
  },
  {
    name: 'publishes to topics without subscribers',
    async run(broker) {
      const transport = await broker.open('sender');
      await transport.publish([transportMessage({ destination: 'nobody.cares', type: 'nobody.cares.Happened' })]);
      await listen(transport);
      await transport.publish([transportMessage({ type: 'test.NotWanted' })]);
    },
  },
  {
    name: 'delivers the subscribed types of a topic, and nothing of other topics',
    async run(broker) {
      const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
      const { received, has } = await listen(receiver);
      const wanted = [transportMessage(), transportMessage({ type: 'test.HappenedAgain' })];
      const streamId = wanted[0]!.streamId;
      await sender.publish([
        transportMessage({ streamId, type: 'other.Happened', destination: 'other' }),
        transportMessage({ streamId, type: 'test.Happened', destination: 'test.mor' }),
        ...wanted,
      ]);
      await has(2);
      await aWhile();
      assert.deepEqual(received.map(({ id }) => id).toSorted(), wanted.map(({ id }) => id).toSorted());
    },
  },
  {
    name: 'delivers to every host and each of its interests',
    async run(broker) {
      const sender = await broker.open('sender');
      const hosts = [await broker.open('first'), await broker.open('second')];
      const other = { name: 'others', topics: [{ topic: 'test', types: ['test.HappenedAgain'] }] };
      const listening = [await listen(hosts[0]!), await listen(hosts[1]!), await listen(hosts[1]!, undefined, other)];
      const messages = [...numbered(20), transportMessage({ type: 'test.HappenedAgain' })];
      await sender.publish(messages);
      await Promise.all([listening[0]!.has(21), listening[1]!.has(21), listening[2]!.has(1)]);
      await aWhile();
      assert.deepEqual(
        listening.map(({ received }) => received.length),
        [21, 21, 1],
      );
    },
  },
  {
    name: 'preserves the order of each stream across batches and concurrent publishing',
    async run(broker) {
      const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
      const { received, has } = await listen(receiver);
      const streams = [newId(), newId(), newId()];
      await Promise.all(
        streams.map(async (streamId) => {
          for (let first = 0; first < 700; first += 350) await sender.publish(numbered(350, { streamId }, first));
        }),
      );
      await has(2_100);
      for (const stream of streams) {
        const bodies = received.filter(({ streamId }) => streamId === stream).map(({ body }) => Number(body));
        assert.deepEqual(
          bodies,
          Array.from({ length: 700 }, (_, i) => i),
        );
      }
    },
  },
  {
    name: 'reports whether messages are received',
    async run(broker) {
      const transport = await broker.open('receiver');
      const { subscription } = await listen(transport, undefined, interest);
      assert.equal(subscription.isUp, true);
      await subscription.close();
      assert.equal(subscription.isUp, false);
    },
  },
];
