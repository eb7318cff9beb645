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

/** What the hosts of these cases want: two topics, two types of the first. */
export const interest: Interest = {
  name: 'events',
  topics: [
    { topic: 'test', types: ['test.Happened', 'test.HappenedAgain'] },
    { topic: 'test.more', types: ['test.more.Happened'] },
  ],
};

/** A message between hosts, as far as a test says nothing else. */
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

/** The same as it arrives, from a host that the transport has proven unless a test says something else. */
export function receivedMessage(fields: Partial<ReceivedMessage> = {}): ReceivedMessage {
  const message = transportMessage(fields);
  return { provenOrigin: message.origin, routedType: null, signature: null, ...message };
}

/** What a sender has a say in. */
export function asSent(message: ReceivedMessage): TransportMessage {
  const { provenOrigin: _origin, routedType: _type, signature: _signature, ...sent } = message;
  return sent;
}

/** A number of messages of one stream, one numbered body after the other. */
export function numbered(count: number, fields: Partial<TransportMessage> = {}, first = 0): TransportMessage[] {
  const streamId = newId();
  return Array.from({ length: count }, (_, i) => transportMessage({ streamId, body: String(first + i), ...fields }));
}

/** A subscription that notes what it is handed over. */
export interface Listening {
  readonly subscription: Subscription;
  /** What was done with, in its order. */
  readonly taken: readonly ReceivedMessage[];
  /** Resolves once so many are done with. */
  readonly has: (count: number) => Promise<void>;
}

export async function listen(
  transport: Transport,
  receive: ReceiveMessages = () => Promise.resolve([]),
  wanted: Interest = interest,
): Promise<Listening> {
  const taken: ReceivedMessage[] = [];
  const subscription = await transport.subscribe(wanted, async (messages) => {
    assert.ok(messages.length > 0 && messages.length <= largestReceiveBatch, 'a batch is bounded, and never empty');
    const refused = await receive(messages);
    taken.push(...messages.filter((message) => !refused.some((refusal) => refusal.message === message)));
    return refused;
  });
  return { subscription, taken, has: (count) => eventually(() => taken.length >= count, `${count} messages`) };
}

const limitMs = 30_000;

/** Resolves once it is so. */
export async function eventually(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isSo())) {
    assert.ok(performance.now() < end, `${what} within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Long enough for a message that must not come. */
export function aWhile(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 150));
}
