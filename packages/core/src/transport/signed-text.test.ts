import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { uuid } from '../json/index.js';
import { inboxOf, newId, scopeOfText } from '../messages/index.js';
import { toCloudEvent } from './cloud-event.js';
import { fromCloudEvent } from './received-cloud-event.js';
import { signatureOf, signingKey } from './message-keys.js';
import { signedText } from './signed-text.js';
import type { TransportMessage } from './transport.js';

const message: TransportMessage = {
  id: uuid('01912d68-783e-7a03-8467-5661c1243ad4'),
  type: 'orders.OrderPlaced',
  streamId: uuid('01912d68-783e-7a03-8467-5661c1243ad5'),
  body: '{"note":"ß"}',
  timestamp: Date.UTC(2026, 1, 3, 4, 5, 6, 7),
  correlationId: uuid('01912d68-783e-7a03-8467-5661c1243ad6'),
  causationId: uuid('01912d68-783e-7a03-8467-5661c1243ad7'),
  scope: { tenantId: 'acme', userId: null },
  metadata: { traceparent: '00-1-2-01', ReceptorName: 'PlaceOrderReceptor', list: [1, null, { a: 'ß' }] },
  destination: 'orders',
  origin: 'shop',
};

it('is the text in the guide, so that other programs can sign', () => {
  const text = [
    '23:svc-message-signature-1,5:event,6:orders,3:1.0,36:01912d68-783e-7a03-8467-5661c1243ad4,4:shop,18:orders.OrderPlaced,',
    '24:2026-02-03T04:05:06.007Z,36:01912d68-783e-7a03-8467-5661c1243ad5,36:01912d68-783e-7a03-8467-5661c1243ad6,',
    '36:01912d68-783e-7a03-8467-5661c1243ad7,33:{"tenantId":"acme","userId":null},',
    '64:{"ReceptorName":"PlaceOrderReceptor","list":[1,null,{"a":"ß"}]},9:00-1-2-01,-,13:{"note":"ß"},',
  ].join('');
  expect(signedText(message)).toBe(text);
  const secret = 'a secret that sender and receiver share';
  expect(signatureOf(text, signingKey({ id: 'k', secret }))).toBe(
    createHmac('sha256', secret).update(text).digest('base64url'),
  );
});

it('is the same for the message that arrives', () => {
  const arrived = fromCloudEvent({
    ...toCloudEvent(message),
    destination: 'orders',
    routedType: null,
    provenHosts: null,
  });
  expect(signedText(arrived)).toBe(signedText(message));
});

it('is the same for a parsed and a created scope, and for any spelling of its text', () => {
  const scope = scopeOfText('{ "tenantId": "acme", "userId": null }');
  expect(signedText({ ...message, scope })).toBe(signedText(message));
});

it.each<[string, Partial<TransportMessage>]>([
  ['id', { id: newId() }],
  ['type', { type: 'orders.OrderPaid' }],
  ['stream', { streamId: newId() }],
  ['body', { body: '{"note":"s"}' }],
  ['time', { timestamp: message.timestamp + 1 }],
  ['correlation', { correlationId: newId() }],
  ['cause', { causationId: null }],
  ['scope', { scope: { tenantId: 'other', userId: null } }],
  ['missing scope', { scope: null }],
  ['empty scope', { scope: {} }],
  ['metadata', { metadata: { ...message.metadata, list: [] } }],
  ['trace', { metadata: { ...message.metadata, traceparent: '00-1-3-01' } }],
  ['topic', { destination: 'orders.more' }],
  ['kind: a command to a host', { destination: inboxOf('orders') }],
  ['origin', { origin: 'billing' }],
])('differs with the %s', (_, change) => {
  expect(signedText({ ...message, ...change })).not.toBe(signedText(message));
});

it('differs with the host that a command is for', () => {
  const to = (hostName: string) => signedText({ ...message, destination: inboxOf(hostName) });
  expect(to('billing')).not.toBe(to('orders'));
});

it('separates each value from its neighbours', () => {
  const of = (type: string, origin: string) => signedText({ ...message, type, origin });
  expect(of('a', '1:b,1:c')).not.toBe(of('1:b,1:c', 'a'));
  expect(of('shop,4:shop', 'x')).not.toBe(of('shop', 'x,4:shop'));
});
