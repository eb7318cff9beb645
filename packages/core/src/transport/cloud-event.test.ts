import { describe, expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import { fromCloudEvent, toCloudEvent } from './cloud-event.js';
import type { ArrivedCloudEvent } from './cloud-event.js';
import type { PublishedMessage, TransportMessage } from './transport.js';

const message: TransportMessage = {
  id: newId(),
  type: 'orders.OrderPlaced',
  streamId: newId(),
  body: '{"note":"ß"}',
  timestamp: Date.UTC(2026, 1, 3, 4, 5, 6, 7),
  correlationId: newId(),
  causationId: newId(),
  scope: { tenantId: 'acme', userId: null },
  metadata: { ReceptorName: 'PlaceOrderReceptor', traceparent: '00-1-2-01', tracestate: 'a=b' },
  destination: 'orders',
  origin: 'shop',
};

/** As the transport of a broker that proves no sender delivers it. */
const arrived = (change: Partial<ArrivedCloudEvent> = {}): ArrivedCloudEvent => ({
  ...toCloudEvent(message),
  destination: 'orders',
  routedType: null,
  provenHosts: null,
  ...change,
});

it('writes the attributes of CloudEvents 1.0, including those for tracing', () => {
  expect(toCloudEvent(message)).toEqual({
    contentType: 'application/json',
    attributes: {
      cloudEvents_specversion: '1.0',
      cloudEvents_id: message.id,
      cloudEvents_source: 'shop',
      cloudEvents_type: 'orders.OrderPlaced',
      cloudEvents_time: '2026-02-03T04:05:06.007Z',
      cloudEvents_subject: message.streamId,
      cloudEvents_correlationid: message.correlationId,
      cloudEvents_causationid: message.causationId,
      cloudEvents_scope: '{"tenantId":"acme","userId":null}',
      cloudEvents_metadata: '{"ReceptorName":"PlaceOrderReceptor"}',
      cloudEvents_traceparent: '00-1-2-01',
      cloudEvents_tracestate: 'a=b',
    },
    body: message.body,
  });
});

it.each<[string, Partial<TransportMessage>]>([
  ['with everything', {}],
  ['without optional attributes', { causationId: null, scope: null, metadata: {} }],
  ['whose trace context is not a string', { metadata: { traceparent: 1, tracestate: null } }],
])('writes and reads back a message %s', (_, change) => {
  const sent = { ...message, ...change };
  const received = fromCloudEvent(arrived(toCloudEvent(sent)));
  expect(received).toEqual({ ...sent, provenOrigin: null, routedType: null, signature: null });
});

it('writes and reads a signature as two attributes, without verifying it', () => {
  const signed: PublishedMessage = { ...message, signature: { keyId: 'key-1', value: 'c2lnbmF0dXJl' } };
  const { attributes } = toCloudEvent(signed);
  expect(attributes).toMatchObject({ cloudEvents_signaturekey: 'key-1', cloudEvents_signature: 'c2lnbmF0dXJl' });
  expect(fromCloudEvent(arrived({ attributes }))).toMatchObject({ signature: signed.signature, provenOrigin: null });
});

it.each<[string, readonly string[] | null, string | null]>([
  ['the host that it names, if its sender represents it', ['billing', 'shop'], 'shop'],
  ['another host, if its sender represents that one', ['billing'], 'billing'],
  ['none, if its sender represents none', [], null],
  ['none, if the broker proves no sender', null, null],
])('reads the proven origin of a message from its transport: %s', (_, provenHosts, provenOrigin) => {
  expect(fromCloudEvent(arrived({ provenHosts }))).toMatchObject({ origin: 'shop', provenOrigin });
});

it('does not write metadata that are undefined', () => {
  expect(toCloudEvent({ ...message, metadata: { note: undefined } }).attributes).not.toHaveProperty(
    'cloudEvents_metadata',
  );
});

it('reads messages of other programs, without a correlation id', () => {
  const { attributes } = toCloudEvent({ ...message, causationId: null, scope: null, metadata: {} });
  const { cloudEvents_correlationid: _, ...foreign } = attributes;
  const contentType = 'Application/JSON; charset=utf-8';
  expect(fromCloudEvent(arrived({ contentType, attributes: foreign, body: '{}' }))).toMatchObject({
    correlationId: message.id,
    metadata: {},
  });
});

describe('rejects', () => {
  const { attributes } = toCloudEvent(message);
  it.each<[string, unknown, Record<string, unknown>]>([
    ['another content type', 'text/plain', {}],
    ['a content type that is not a string', 7, {}],
    ['another version', undefined, { cloudEvents_specversion: '0.3' }],
    ['no id', undefined, { cloudEvents_id: undefined }],
    ['an id that is not a UUID', undefined, { cloudEvents_id: '1' }],
    ['an id that is not a string', undefined, { cloudEvents_id: 1 }],
    ['no stream', undefined, { cloudEvents_subject: undefined }],
    ['no type', undefined, { cloudEvents_type: '' }],
    ['a type that is too long', undefined, { cloudEvents_type: 'x'.repeat(501) }],
    ['no source', undefined, { cloudEvents_source: undefined }],
    ['no time', undefined, { cloudEvents_time: undefined }],
    ['an invalid time', undefined, { cloudEvents_time: 'yesterday' }],
    ['a time that databases do not support', undefined, { cloudEvents_time: '-005000-01-01T00:00:00Z' }],
    ['a time with a year of six digits', undefined, { cloudEvents_time: '+010000-01-01T00:00:00Z' }],
    ['a scope that is a list', undefined, { cloudEvents_scope: '[]' }],
    ['a scope with numbers', undefined, { cloudEvents_scope: '{"tenantId":1}' }],
    ['a scope with U+0000', undefined, { cloudEvents_scope: String.raw`{"tenantId":"a\u0000"}` }],
    ['a scope with half a surrogate pair', undefined, { cloudEvents_scope: String.raw`{"userId":"\ud83d"}` }],
    ['a scope with half a surrogate pair in a key', undefined, { cloudEvents_scope: String.raw`{"\ud83d":"x"}` }],
    ['metadata that is not JSON', undefined, { cloudEvents_metadata: '{' }],
    ['metadata that could reach a prototype', undefined, { cloudEvents_metadata: '{"__proto__":{}}' }],
    ['a signature without a key', undefined, { cloudEvents_signature: 'x' }],
    ['a signature that is not a string', undefined, { cloudEvents_signature: 1, cloudEvents_signaturekey: 'k' }],
  ])('%s', (_, contentType, change) => {
    expect(() => fromCloudEvent(arrived({ contentType, attributes: { ...attributes, ...change } }))).toThrow(
      expect.objectContaining({ code: 'SVC_MALFORMED_CLOUD_EVENT' }),
    );
  });
});
