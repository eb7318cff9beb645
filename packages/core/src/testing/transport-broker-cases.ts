import assert from 'node:assert/strict';
import { ServiceError } from '../errors/index.js';
import { newId } from '../messages/index.js';
import type { TransportMessage } from '../transport/index.js';
import { asSent, aWhile, eventually, listen, numbered, transportMessage } from './transport-messages.js';
import type { TransportCase } from './transport-case.js';

/** The additional contract of brokers: messages wait for a host, and hosts of one name share them. */
export const brokerCases: readonly TransportCase[] = [
  {
    name: 'retains messages for a host that has subscribed and is down',
    async run(broker) {
      const sender = await broker.open('sender');
      const before = await broker.open('receiver');
      await (await listen(before)).subscription.close();
      await before.close?.();
      const messages = numbered(50);
      await sender.publish(messages);
      const { received, has } = await listen(await broker.open('receiver'));
      await has(50);
      assert.deepEqual(received.map(asSent), messages);
    },
  },
  {
    name: 'redelivers unprocessed messages of a host that has stopped, in order',
    async run(broker) {
      const [sender, before] = [await broker.open('sender'), await broker.open('receiver')];
      const { subscription, received } = await listen(before, ([first]) =>
        Number(first!.body) > 0 ? Promise.reject(new Error('not now')) : Promise.resolve([]),
      );
      const messages = numbered(20);
      await sender.publish(messages.slice(0, 1));
      await eventually(() => received.length === 1, 'the first message');
      await sender.publish(messages.slice(1));
      await aWhile();
      await subscription.close();
      await before.close?.();
      const after = await listen(await broker.open('receiver'));
      await after.has(19);
      assert.deepEqual(
        after.received.map(({ body }) => Number(body)),
        messages.slice(1).map(({ body }) => Number(body)),
      );
    },
  },
  {
    name: 'delivers to one of several hosts of one name, in the order of each stream',
    async run(broker) {
      const sender = await broker.open('sender');
      const all: TransportMessage[] = [];
      const note = async (messages: readonly TransportMessage[]): Promise<[]> => {
        all.push(...messages);
        await new Promise((resolve) => setTimeout(resolve, 1));
        return [];
      };
      const instances = [
        await listen(await broker.open('receiver'), note),
        await listen(await broker.open('receiver'), note),
      ];
      const streams = [newId(), newId(), newId(), newId()];
      for (let i = 0; i < 10; i++) {
        await sender.publish(streams.flatMap((streamId) => numbered(5, { streamId }, i * 5)));
      }
      await eventually(() => all.length >= 200, '200 messages');
      // Any distribution is valid: what matters is that the other host continues when one stops.
      await instances[0]!.subscription.close();
      await sender.publish(streams.flatMap((streamId) => numbered(5, { streamId }, 50)));
      await eventually(() => all.length >= 220, '220 messages');
      for (const stream of streams) {
        assert.deepEqual(
          all.filter(({ streamId }) => streamId === stream).map(({ body }) => Number(body)),
          Array.from({ length: 55 }, (_, i) => i),
        );
      }
    },
  },
  {
    name: 'rejects publishing and subscribing after it is closed',
    async run(broker) {
      const transport = await broker.open('receiver');
      await listen(transport);
      await transport.close?.();
      await transport.close?.();
      const isClosed = (error: unknown): boolean =>
        error instanceof ServiceError && error.code === 'SVC_TRANSPORT_CLOSED';
      await assert.rejects(() => transport.publish([transportMessage()]), isClosed);
      await assert.rejects(() => listen(transport), isClosed);
    },
  },
  {
    name: 'reports that the broker is reachable, and that it is not after it is closed',
    async run(broker) {
      const transport = await broker.open('receiver');
      await transport.publish([transportMessage()]);
      assert.equal((await transport.connectivity?.check())?.status, 'Healthy');
      await transport.close?.();
      assert.equal((await transport.connectivity?.check())?.status, 'Unhealthy');
    },
  },
];
