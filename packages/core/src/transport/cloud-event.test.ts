import { describe, expect, it } from 'vitest';
import { newId, timeOfId } from '../messages/index.js';
import { toCloudEvent, unprefixed } from './cloud-event.js';
import { receivedIdOf } from './mapped-id.js';
import { fromCloudEvent, type ArrivedCloudEvent } from './received-cloud-event.js';
import type { PublishedMessage, ReceivedMessage, TransportMessage } from './transport.js';

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

describe('of another program', () => {
  const foreign = {
    cloudEvents_specversion: '1.0',
    cloudEvents_id: 'order-17',
    cloudEvents_source: '/shop/web',
    cloudEvents_type: 'orders.OrderPlaced',
    cloudEvents_subject: 'order/17',
    cloudEvents_time: '2026-02-03T04:05:06.007Z',
  };
  const colons = Object.fromEntries(Object.entries(foreign).map(([name, value]) => [name.replace('_', ':'), value]));
  const plain = Object.fromEntries(Object.entries(foreign).map(([name, value]) => [unprefixed(name), value]));
  const read = (attributes: Record<string, unknown>, change: Partial<ArrivedCloudEvent> = {}): ReceivedMessage =>
    fromCloudEvent(arrived({ attributes, body: '{}', ...change }));
  const structured = (event: object, change: Partial<ArrivedCloudEvent> = {}): ReceivedMessage =>
    read({}, { contentType: 'application/cloudevents+json', body: JSON.stringify(event), ...change });

  it('maps an id that is not a UUID to a UUIDv7 of its time, and has the original in the metadata', () => {
    const { id, timestamp, metadata, correlationId } = read(foreign);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(timeOfId(id)).toBe(timestamp);
    expect(metadata).toEqual({ cloudEventId: 'order-17', cloudEventSubject: 'order/17' });
    expect(correlationId).toBe(id);
  });

  it('always maps the same id and subject of a source to the same UUIDs, which no other source has', () => {
    const [first, again, other] = [foreign, foreign, { ...foreign, cloudEvents_source: '/shop/app' }].map((one) =>
      read(one),
    );
    expect(again).toEqual(first);
    expect(other!.id).not.toBe(first!.id);
    expect(other!.streamId).not.toBe(first!.streamId);
    expect(receivedIdOf(other!)).not.toBe(receivedIdOf(first!));
    // A known value: it is stored, so it must never change.
    expect([receivedIdOf(first!), first!.streamId]).toEqual([
      '00000000-0000-8874-8f86-cd7b5b6c784f',
      'd8dbc695-da0a-8a1c-8a02-c1c18cabf0cb',
    ]);
  });

  it('is received under its source and id, whatever its time', () => {
    const later = read({ ...foreign, cloudEvents_time: '2026-02-04T00:00:00Z' });
    const { cloudEvents_time: _, ...timeless } = foreign;
    expect([later, read(timeless)].map(receivedIdOf)).toEqual([
      receivedIdOf(read(foreign)),
      receivedIdOf(read(foreign)),
    ]);
  });

  it('does not confuse an id with a subject, or a source with an id', () => {
    const shifted = read({ ...foreign, cloudEvents_source: '/shop/web","order-17', cloudEvents_id: 'x' });
    const same = read({ ...foreign, cloudEvents_subject: 'order-17' });
    expect(new Set([receivedIdOf(shifted), receivedIdOf(same), same.streamId, same.id]).size).toBe(4);
  });

  it('maps an id that has the form of a mapped one, so that no source can use the id of another', () => {
    const victim = receivedIdOf(read(foreign));
    const forged = read({ ...foreign, cloudEvents_id: victim, cloudEvents_source: 'intruder' });
    expect(forged.metadata['cloudEventId']).toBe(victim);
    expect([forged.id, receivedIdOf(forged)]).not.toContain(victim);
  });

  it('ignores metadata that only svc may set', () => {
    const attributes = {
      ...foreign,
      cloudEvents_id: message.id,
      cloudEvents_metadata: '{"cloudEventId":"x","note":1}',
    };
    const received = read(attributes);
    expect(received.metadata).toEqual({ note: 1, cloudEventSubject: 'order/17' });
    expect(receivedIdOf(received)).toBe(message.id);
  });

  it('has the time in its id, or the current one, if its time is missing', () => {
    const { cloudEvents_time: _, ...timeless } = foreign;
    expect(read({ ...timeless, cloudEvents_id: message.id }).timestamp).toBe(timeOfId(message.id));
    expect(Math.abs(read(timeless).timestamp - Date.now())).toBeLessThan(60_000);
    expect(() => read(timeless, { destination: 'inbox:orders' })).toThrow('because of its time');
  });

  it('is read with the other prefix, in structured mode, and with the same values in several places', () => {
    const expected = read(foreign);
    expect(read(colons)).toEqual(expected);
    expect(read({ ...foreign, ...colons })).toEqual(expected);
    expect(structured({ ...plain, data: {} })).toEqual(expected);
    expect(structured({ ...plain, data: {} }, { attributes: colons })).toEqual(expected);
    expect(structured({ ...plain, data_base64: btoa('{}'), dataschema: null })).toEqual(expected);
    const contentType = 'Application/CloudEvents+JSON; charset=utf-8';
    expect(structured({ ...plain, datacontenttype: 'application/json', data: {} }, { contentType })).toEqual(expected);
  });

  it('has the exact text of its data in structured mode', () => {
    const data = '{"a":0.1000000000000000055, "b":"}\\",[", "data":[1e400]}';
    const body = ` {"data": ${data} ,${JSON.stringify(plain).slice(1)}`;
    expect(structured({}, { body }).body).toBe(data);
  });

  it.each<[string, string, () => unknown]>([
    [
      'two prefixes with different values',
      'id: it has two different values',
      () => read({ ...foreign, 'cloudEvents:id': 'x' }),
    ],
    [
      'two modes with different values',
      'source: it has two',
      () => structured({ ...plain, data: {} }, { attributes: { 'cloudEvents:source': 'x' } }),
    ],
    [
      'another version in structured mode',
      'specversion: it is not 1.0',
      () => structured({ ...plain, specversion: '0.3', data: {} }),
    ],
    [
      'a batch',
      'content type: only application/cloudevents+json',
      () => structured([plain], { contentType: 'application/cloudevents-batch+json' }),
    ],
    ['no data', 'data: pass data or data_base64', () => structured(plain)],
    ['data twice', 'data: pass data or data_base64', () => structured({ ...plain, data: {}, data_base64: 'e30=' })],
    ['a member twice', 'body: a member appears twice', () => structured({}, { body: '{"id":"1","\\u0069d":"2"}' })],
    [
      'data in another format',
      'datacontenttype',
      () => structured({ ...plain, datacontenttype: 'text/xml', data: '<a/>' }),
    ],
    ['data that is not UTF-8', 'data_base64', () => structured({ ...plain, data_base64: '/w==' })],
    ['a body that is not JSON', 'body: it is not JSON', () => structured({}, { body: '{' })],
    ['a body that is not an object', 'body: it is not a JSON object', () => structured([])],
    ['oversized attributes', 'more than 65536 bytes', () => structured({ ...plain, x: 'x'.repeat(65_536), data: {} })],
    ['an attribute that is not a string', 'because of its id', () => structured({ ...plain, id: 17, data: {} })],
    ['no subject', 'subject: it is missing', () => structured({ ...plain, subject: null, data: {} })],
  ])('is rejected with %s', (_, reason, act) => {
    expect(act).toThrow(reason);
    expect(act).toThrow(expect.objectContaining({ code: 'SVC_MALFORMED_CLOUD_EVENT' }));
  });
});

describe('rejects', () => {
  const { attributes } = toCloudEvent(message);
  it.each<[string, unknown, Record<string, unknown>]>([
    ['another content type', 'text/plain', {}],
    ['a content type that is not a string', 7, {}],
    ['another version', undefined, { cloudEvents_specversion: '0.3' }],
    ['no id', undefined, { cloudEvents_id: undefined }],
    ['an empty id', undefined, { cloudEvents_id: '' }],
    ['an id that is too long', undefined, { cloudEvents_id: 'x'.repeat(501) }],
    ['an id with a control character', undefined, { cloudEvents_id: 'a\u0000' }],
    ['an id with half a surrogate pair', undefined, { cloudEvents_id: '\ud83d' }],
    ['a subject with a control character', undefined, { cloudEvents_subject: 'a\nb' }],
    ['a correlation id that is not a UUID', undefined, { cloudEvents_correlationid: '1' }],
    ['an id that is not a string', undefined, { cloudEvents_id: 1 }],
    ['no stream', undefined, { cloudEvents_subject: undefined }],
    ['no type', undefined, { cloudEvents_type: '' }],
    ['a type that is too long', undefined, { cloudEvents_type: 'x'.repeat(501) }],
    ['no source', undefined, { cloudEvents_source: undefined }],
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
    ['metadata nested 8,000 levels deep', undefined, { cloudEvents_metadata: `{"x":${deepList(8_000)}}` }],
    ['metadata nested 101 levels deep', undefined, { cloudEvents_metadata: `{"x":${deepList(100)}}` }],
    ['metadata with U+0000', undefined, { cloudEvents_metadata: String.raw`{"svcTenant":"a\u0000b"}` }],
    ['metadata with half a surrogate pair', undefined, { cloudEvents_metadata: String.raw`{"svcTenant":"\ud800"}` }],
    ['metadata with U+0000 in a nested key', undefined, { cloudEvents_metadata: String.raw`{"a":[{"\u0000":1}]}` }],
    ['a trace state with U+0000', undefined, { cloudEvents_tracestate: 'a\0' }],
    ['a signature without a key', undefined, { cloudEvents_signature: 'x' }],
    ['a signature that is not a string', undefined, { cloudEvents_signature: 1, cloudEvents_signaturekey: 'k' }],
  ])('%s', (_, contentType, change) => {
    expect(() => fromCloudEvent(arrived({ contentType, attributes: { ...attributes, ...change } }))).toThrow(
      expect.objectContaining({ code: 'SVC_MALFORMED_CLOUD_EVENT' }),
    );
  });

  it('the same metadata in structured mode', () => {
    const contentType = 'application/cloudevents+json';
    const named = Object.entries(attributes).map(([name, value]) => [unprefixed(name), value]);
    const bodyWith = (metadata: string): string =>
      JSON.stringify({ ...Object.fromEntries(named), metadata, data: { total: 1 } });
    const received = (metadata: string) =>
      fromCloudEvent(arrived({ contentType, attributes: {}, body: bodyWith(metadata) }));
    expect(received(`{"x":${deepList(99)}}`).metadata).toHaveProperty('x');
    for (const metadata of [`{"x":${deepList(100)}}`, String.raw`{"svcTenant":"a\u0000b"}`]) {
      expect(() => received(metadata)).toThrow(expect.objectContaining({ code: 'SVC_MALFORMED_CLOUD_EVENT' }));
    }
    const foreign = JSON.parse(bodyWith('{}')) as object;
    const body = `${JSON.stringify(foreign).slice(0, -1)},"other":${deepList(8_000)}}`;
    expect(received('{}')).toMatchObject({ metadata: {} });
    expect(
      JSON.stringify(fromCloudEvent(arrived({ contentType, attributes: {}, body }))).length,
      'extensions that svc does not know are dropped',
    ).toBeLessThan(2_000);
  });
});

/** The JSON of lists in lists. */
function deepList(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}
