import assert from 'node:assert/strict';
import type { TransportMessage } from '../transport/index.js';
import { aWhile, eventually, listen, numbered } from './transport-messages.js';
import type { TransportCase } from './transport-case.js';

/** Acknowledgement and redelivery. */
export const settlingCases: readonly TransportCase[] = [
  {
    name: 'redelivers messages whose processing failed before any later ones',
    async run(broker) {
      const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
      const attempts: string[] = [];
      const { received, has } = await listen(receiver, (messages) => {
        attempts.push(messages[0]!.body);
        return messages[0]!.body === '3' && attempts.filter((body) => body === '3').length <= 3
          ? Promise.reject(new Error('not now'))
          : Promise.resolve([]);
      });
      const messages = numbered(10);
      for (const message of messages.slice(0, 4)) {
        await sender.publish([message]);
        await eventually(() => attempts.includes(message.body), `message ${message.body}`);
      }
      await sender.publish(messages.slice(4));
      await has(10);
      assert.deepEqual(
        received.map(({ body }) => Number(body)),
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      );
      assert.equal(attempts.filter((body) => body === '3').length, 4);
      assert.deepEqual(await broker.deadLetters('receiver'), []);
    },
  },
  {
    name: 'delivers one batch of an interest at a time',
    async run(broker) {
      const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
      let underWay = 0;
      let most = 0;
      const { has } = await listen(receiver, async () => {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 5));
        underWay--;
        return [];
      });
      const streamId = numbered(1)[0]!.streamId;
      for (let i = 0; i < 20; i++) await sender.publish(numbered(5, { streamId }, i * 5));
      await has(100);
      assert.equal(most, 1);
    },
  },
  {
    name: 'dead-letters rejected messages with the cause, and continues after them',
    async run(broker) {
      const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
      const isRefused = ({ body }: TransportMessage): boolean => body === '1' || body === '4';
      const { received, has } = await listen(receiver, (messages) =>
        Promise.resolve(
          messages.filter(isRefused).map((message) => ({ message, cause: new Error(`no ${message.body}, ever ß`) })),
        ),
      );
      const messages = numbered(6);
      await sender.publish(messages);
      await has(4);
      assert.deepEqual(
        received.map(({ body }) => body),
        ['0', '2', '3', '5'],
      );
      await eventually(async () => (await broker.deadLetters('receiver')).length === 2, 'two dead letters');
      assert.deepEqual(
        [...(await broker.deadLetters('receiver'))],
        [
          { id: messages[1]!.id, cause: 'no 1, ever ß' },
          { id: messages[4]!.id, cause: 'no 4, ever ß' },
        ],
      );
    },
  },
  {
    name: 'delivers nothing after a subscription was closed, which waits for running messages',
    async run(broker) {
      const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
      let calls = 0;
      let end = (): void => {};
      const { subscription, received } = await listen(receiver, () => {
        calls++;
        return new Promise((resolve) => {
          end = () => resolve([]);
        });
      });
      await sender.publish(numbered(1));
      await eventually(() => calls === 1, 'a message');
      await sender.publish(numbered(1));
      let closed = false;
      const closing = subscription.close().finally(() => {
        closed = true;
      });
      await aWhile();
      assert.equal(closed, false, 'it waits for the running message');
      end();
      await closing;
      await sender.publish(numbered(1));
      await aWhile();
      assert.deepEqual([calls, received.length], [1, 1]);
    },
  },
  {
    name: 'closes a subscription whose messages cannot be processed',
    async run(broker) {
      const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
      let calls = 0;
      const { subscription } = await listen(receiver, () => {
        calls++;
        return Promise.reject(new Error('not now'));
      });
      await sender.publish(numbered(1));
      await eventually(() => calls >= 2, 'two attempts');
      await subscription.close();
      const before = calls;
      await aWhile();
      assert.equal(calls, before);
    },
  },
];
