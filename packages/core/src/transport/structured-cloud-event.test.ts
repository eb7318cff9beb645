import { expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import { fromCloudEvent } from './received-cloud-event.js';
import { structuredCloudEvent } from './structured-cloud-event.js';

const id = newId();
const event = {
  id,
  type: 'shop.orders.OrderPlaced',
  streamId: newId(),
  body: '{"amount":1.00}',
  timestamp: Date.UTC(2026, 1, 3),
  correlationId: id,
  causationId: null,
};

it('writes the attributes and the data of an event, without its scope and metadata', () => {
  const text = structuredCloudEvent({ ...event, scope: { userId: 'ann' }, metadata: { note: 'x' } } as typeof event);
  expect(JSON.parse(text)).toEqual({
    specversion: '1.0',
    id,
    source: 'shop.orders',
    type: 'shop.orders.OrderPlaced',
    time: '2026-02-03T00:00:00.000Z',
    subject: event.streamId,
    correlationid: id,
    datacontenttype: 'application/json',
    data: { amount: 1 },
  });
  expect(text, 'the data as they are').toContain('"data":{"amount":1.00}}');
});

it('can be read again', () => {
  const message = fromCloudEvent({
    contentType: 'application/cloudevents+json',
    attributes: {},
    body: structuredCloudEvent(event),
    destination: 'shop.orders',
    routedType: null,
    provenHosts: null,
  });
  expect(message).toMatchObject({ ...event, origin: 'shop.orders' });
});
