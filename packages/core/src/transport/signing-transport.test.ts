import { expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import { InProcessTransport } from './in-process-transport.js';
import { isSignatureOf, signingKey } from './message-keys.js';
import { signedText } from './signed-text.js';
import { signingTransport } from './signing-transport.js';
import type { ReceivedMessage, TransportMessage } from './transport.js';

it('signs each message that it publishes, and is otherwise the transport that it wraps', async () => {
  const inner = new InProcessTransport();
  const key = signingKey({ id: 'k1', secret: 'a secret that sender and receiver share' });
  const transport = signingTransport(inner.host('north'), key);
  expect(transport.hostName).toBe('north');
  const received: ReceivedMessage[] = [];
  const topics = [{ topic: 'test', types: ['test.Happened'] }];
  const subscription = await inner.subscribe({ name: 'events', topics }, (messages) => {
    received.push(...messages);
    return Promise.resolve([]);
  });
  const messageOf = (body: string): TransportMessage => {
    const id = newId();
    const names = { type: 'test.Happened', destination: 'test', origin: 'north' };
    const rest = { timestamp: 0, correlationId: id, causationId: null, scope: null, metadata: {} };
    return { id, streamId: newId(), body, ...names, ...rest };
  };
  const sent = [messageOf('{"a":1}'), messageOf('{"a":2}')];
  await transport.publish(sent);
  await inner.idle();
  expect(received).toMatchObject(sent);
  for (const message of received) {
    expect(message.signature!.keyId).toBe('k1');
    expect(isSignatureOf(signedText(message), message.signature!.value, key)).toBe(true);
  }
  await subscription.close();
});
