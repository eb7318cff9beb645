import assert from 'node:assert/strict';
import { inboxOf } from '../messages/index.js';
import {
  MessageUndeliverableError,
  type ReceivedMessage,
  type Transport,
  type TransportMessage,
} from '../transport/index.js';
import type { TransportCase } from './transport-case.js';
import { asSent, aWhile, eventually, listen, transportMessage } from './transport-messages.js';

/** The inboxes of a transport that carries commands. */
export const inboxCases: readonly TransportCase[] = [
  {
    name: 'delivers commands unchanged to their host only, and events to no inbox',
    async run(broker) {
      const [sender, receiver, other] = [
        await broker.open('sender'),
        await broker.open('receiver'),
        await broker.open('first'),
      ];
      const [{ received }, elsewhere] = [await consumeCommands(receiver), await consumeCommands(other)];
      const events = await listen(receiver);
      const commands = [
        commandFor('receiver', {
          type: 'nobody.KnowsThis',
          body: JSON.stringify({ text: 'ß 日本 "quoted"', number: '12345678901234567890.5' }),
          scope: { tenantId: 'acme', userId: null },
          metadata: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', nested: { list: [1] } },
        }),
        commandFor('receiver', { body: `"${'x'.repeat(100_000)}"` }),
      ];
      await sender.publish([commands[0]!, transportMessage(), commands[1]!]);
      await eventually(() => received.length === 2, 'two commands');
      await events.has(1);
      await aWhile();
      assert.deepEqual(
        received.map(asSent).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        commands,
      );
      assert.deepEqual([elsewhere.received.length, events.received.length], [0, 1]);
    },
  },
  {
    name: 'delivers commands to the host that sends them',
    async run(broker) {
      const host = await broker.open('receiver');
      const { received } = await consumeCommands(host);
      await host.publish([commandFor('receiver', { origin: 'receiver' })]);
      await eventually(() => received.length === 1, 'a command');
    },
  },
  {
    name: 'rejects commands to a host without an inbox by their ids, and delivers the others',
    async run(broker) {
      const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
      const { received } = await consumeCommands(receiver);
      const lost = [commandFor('nobody'), commandFor('nobody')];
      const whole = commandFor('receiver');
      await assert.rejects(
        () => sender.publish([lost[0]!, whole, lost[1]!]),
        (error: unknown) => {
          assert.ok(error instanceof MessageUndeliverableError);
          assert.equal(error.reason, 'NoInbox');
          assert.deepEqual(
            error.messageIds,
            lost.map(({ id }) => id),
          );
          return true;
        },
      );
      await sender.publish([whole]);
      await eventually(() => received.some(({ id }) => id === whole.id), 'the command that can be delivered');
      assert.ok(received.every(({ id }) => id === whole.id));
    },
  },
  {
    name: 'delivers a command to one of the hosts that share a name',
    async run(broker) {
      const sender = await broker.open('sender');
      const inboxes = [
        await consumeCommands(await broker.open('receiver')),
        await consumeCommands(await broker.open('receiver')),
      ];
      const commands = Array.from({ length: 40 }, () => commandFor('receiver'));
      await sender.publish(commands);
      const all = (): ReceivedMessage[] => inboxes.flatMap(({ received }) => [...received]);
      await eventually(() => all().length >= 40, '40 commands');
      await aWhile();
      assert.deepEqual(idsOf(all()), idsOf(commands));
      // The remaining host continues alone.
      await inboxes[0]!.subscription.close();
      await sender.publish([commandFor('receiver')]);
      await eventually(() => inboxes[1]!.received.length === 41 - inboxes[0]!.received.length, 'one more command');
    },
  },
  {
    name: 'redelivers a command whose processing failed, and delivers others in between',
    async run(broker) {
      const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
      const [failing, others] = [commandFor('receiver'), Array.from({ length: 10 }, () => commandFor('receiver'))];
      let attempts = 0;
      const { received } = await consumeCommands(receiver, ({ id }) => {
        if (id !== failing.id) return Promise.resolve();
        attempts++;
        // If the others waited for it, it would never succeed.
        return attempts < 3 || received.length < 10 ? Promise.reject(new Error('not now')) : Promise.resolve();
      });
      await sender.publish([failing, ...others]);
      await eventually(() => received.length === 11, '11 commands');
      assert.deepEqual(idsOf(received), idsOf([failing, ...others]));
    },
  },
  {
    name: 'dead-letters a rejected command with the cause, and continues',
    async run(broker) {
      const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
      const [unprocessable, others] = [commandFor('receiver'), Array.from({ length: 5 }, () => commandFor('receiver'))];
      const received: string[] = [];
      await receiver.openInbox!((message) => {
        if (message.id === unprocessable.id) return Promise.resolve({ message, cause: new Error('never ß') });
        received.push(message.id);
        return Promise.resolve(null);
      });
      await sender.publish([unprocessable, ...others]);
      await eventually(() => received.length === 5, 'five commands');
      await eventually(async () => (await broker.deadLetters('receiver', 'inbox')).length === 1, 'a dead letter');
      assert.deepEqual(
        [...(await broker.deadLetters('receiver', 'inbox'))],
        [{ id: unprocessable.id, cause: 'never ß' }],
      );
    },
  },
  {
    name: 'closes an inbox after its running commands have ended, and delivers the rest to the next',
    async run(broker) {
      const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
      const ends: (() => void)[] = [];
      const { subscription, received } = await consumeCommands(receiver, ({ body }) =>
        body === '"fails"'
          ? Promise.reject(new Error('not now'))
          : new Promise((resolve) => {
              ends.push(resolve);
            }),
      );
      assert.equal(subscription.isUp, true);
      const [slow, failing] = [commandFor('receiver'), commandFor('receiver', { body: '"fails"' })];
      await sender.publish([slow, failing]);
      await eventually(() => ends.length === 1, 'a running command');
      let isClosed = false;
      const closing = subscription.close().finally(() => {
        isClosed = true;
      });
      await aWhile();
      assert.equal(isClosed, false, 'it waits for the running command');
      assert.equal(subscription.isUp, false);
      ends[0]!();
      await closing;
      assert.deepEqual(idsOf(received), [slow.id]);
      const next = await consumeCommands(await broker.open('receiver'));
      await eventually(() => next.received.length === 1, 'the command that failed');
      await aWhile();
      assert.deepEqual(idsOf(next.received), [failing.id]);
    },
  },
];

/** The additional contract of brokers. */
export const brokerInboxCases: readonly TransportCase[] = [
  {
    name: 'retains commands for a host that has opened its inbox and is down',
    async run(broker) {
      const [sender, before] = [await broker.open('sender'), await broker.open('receiver')];
      await (await consumeCommands(before)).subscription.close();
      await before.close?.();
      const commands = Array.from({ length: 10 }, () => commandFor('receiver'));
      await sender.publish(commands);
      const { received } = await consumeCommands(await broker.open('receiver'));
      await eventually(() => received.length >= 10, '10 commands');
      assert.deepEqual(idsOf(received), idsOf(commands));
    },
  },
  {
    name: 'rejects opening an inbox after it is closed',
    async run(broker) {
      const transport = await broker.open('receiver');
      await transport.close?.();
      await assert.rejects(() => consumeCommands(transport), { code: 'SVC_TRANSPORT_CLOSED' });
    },
  },
];

/** A command to a host, with defaults for the fields that a test omits. */
function commandFor(hostName: string, fields: Partial<TransportMessage> = {}): TransportMessage {
  const message = transportMessage({ type: 'test.Do', destination: inboxOf(hostName), ...fields });
  return { ...message, streamId: message.id };
}

async function consumeCommands(
  transport: Transport,
  receive: (command: ReceivedMessage) => Promise<void> = () => Promise.resolve(),
) {
  const received: ReceivedMessage[] = [];
  const subscription = await transport.openInbox!(async (command) => {
    await receive(command);
    received.push(command);
    return null;
  });
  return { subscription, received: received as readonly ReceivedMessage[] };
}

function idsOf(messages: readonly TransportMessage[]): string[] {
  return messages.map(({ id }) => id).toSorted();
}
