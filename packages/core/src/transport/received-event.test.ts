import { expect, it } from 'vitest';
import { newId, SystemEventStream } from '../messages/index.js';
import { receivedEvents } from './received-event.js';
import type { ReceivedMessage } from './transport.js';

function receivedMessage(fields: Partial<ReceivedMessage> = {}): ReceivedMessage {
  const id = newId();
  const names = {
    type: 'test.Happened',
    destination: 'test',
    origin: 'sender',
    provenOrigin: fields.origin ?? 'sender',
  };
  const rest = { body: '{}', timestamp: Date.now(), causationId: null, scope: null, metadata: {} };
  return { id, streamId: newId(), correlationId: id, ...names, ...rest, routedType: null, signature: null, ...fields };
}

const toEvent = receivedEvents({ marksTenants: true });

it('becomes an event at the end of its stream, with the scope that its sender vouches for', () => {
  const message = receivedMessage({ scope: { tenantId: 'acme', roles: 'admin' }, causationId: newId() });
  const { id, type, streamId, body, timestamp, correlationId, causationId } = message;
  expect(toEvent(message, { origin: 'north' })).toEqual({
    id,
    type,
    streamId,
    body,
    timestamp,
    correlationId,
    causationId,
    scope: { tenantId: 'acme', source: 'transport' },
    metadata: { origin: 'north' },
    expectedPosition: undefined,
    sameTenant: true,
  });
});

it('replaces the metadata that only this host may set', () => {
  const claims = { note: 'x', origin: 'south', claimedOrigin: 'east', svcLatest: newId() };
  const message = receivedMessage({ origin: 'north', metadata: claims });
  expect(toEvent(message, { origin: 'north' }).metadata).toEqual({ note: 'x', origin: 'north' });
  expect(toEvent(message, { origin: null }).metadata).toEqual({ note: 'x', origin: null, claimedOrigin: 'north' });
});

it('must belong to the tenant of its stream if the service marks tenants, except in the system stream', () => {
  const message = receivedMessage();
  const system = receivedMessage({ streamId: SystemEventStream.streamId });
  const unmarked = receivedEvents({ marksTenants: false });
  expect([toEvent, unmarked].map((to) => to(message, { origin: null }).sameTenant)).toEqual([true, false]);
  expect([toEvent, unmarked].map((to) => to(system, { origin: null }).sameTenant)).toEqual([false, false]);
});
