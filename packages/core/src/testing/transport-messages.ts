import assert from 'node:assert/strict';
import { newId } from '../messages/index.js';
import {
  largestReceiveBatch,
  type Interest,
  type ReceivedMessage,
  type ReceiveMessages,
  type Subscription,
  type Transport,
  type TransportMessage,
} from '../transport/index.js';

/** What the hosts of these cases subscribe to: two topics, two types of the first. */
export const interest: Interest = {
  name: 'events',
  topics: [
    { topic: 'test', types: ['test.Happened', 'test.HappenedAgain'] },
    { topic: 'test.more', types: ['test.more.Happened'] },
  ],
};

/** Returns a message between hosts, with defaults for the fields that a test omits. */
export function transportMessage(fields: Partial<TransportMessage> = {}): TransportMessage {
  const id = newId();
  return {
    id,
    type: 'test.Happened',
    streamId: newId(),
    body: '{"what":"happened"}',
    timestamp: Date.now(),
    correlationId: id,
    causationId: null,
    scope: null,
    metadata: {},
    destination: 'test',
    origin: 'sender',
    ...fields,
  };
}

/** Returns the same as received, by default from a proven host. */
export function receivedMessage(fields: Partial<ReceivedMessage> = {}): ReceivedMessage {
  const message = transportMessage(fields);
  return { provenOrigin: message.origin, routedType: null, signature: null, ...message };
}

/** The part of a message that the sender determines. */
export function asSent(message: ReceivedMessage): TransportMessage {
  const { provenOrigin: _origin, routedType: _type, signature: _signature, ...sent } = message;
  return sent;
}

/** Messages of one stream with ascending numbers as bodies. */
export function numbered(count: number, fields: Partial<TransportMessage> = {}, first = 0): TransportMessage[] {
  const streamId = newId();
  return Array.from({ length: count }, (_, i) => transportMessage({ streamId, body: String(first + i), ...fields }));
}

/** A subscription that records the messages it receives. */
export interface Listening {
  readonly subscription: Subscription;
  /** The processed messages, in order. */
  readonly received: readonly ReceivedMessage[];
  /** Resolves when this many are processed. */
  readonly has: (count: number) => Promise<void>;
}

/** Subscribes to an interest and records the messages that arrive. */
export async function listen(
  transport: Transport,
  receive: ReceiveMessages = () => Promise.resolve([]),
  wanted: Interest = interest,
): Promise<Listening> {
  const received: ReceivedMessage[] = [];
  const subscription = await transport.subscribe(wanted, async (messages) => {
    assert.ok(messages.length > 0 && messages.length <= largestReceiveBatch, 'a batch is bounded, and never empty');
    const unprocessable = await receive(messages);
    received.push(...messages.filter((message) => !unprocessable.some((one) => one.message === message)));
    return unprocessable;
  });
  return { subscription, received, has: (count) => eventually(() => received.length >= count, `${count} messages`) };
}

const limitMs = 30_000;

/** Resolves when the condition holds. */
export async function eventually(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isSo())) {
    assert.ok(performance.now() < end, `${what} within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Long enough to notice a message that must not arrive. */
export function aWhile(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 150));
}
