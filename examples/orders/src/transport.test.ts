import { unprovenHosts } from '@svc/core/transport';
import { expect, it } from 'vitest';
import { chooseTransport } from './transport.js';

const AMQP_URL = 'amqps://north:hunter2@mq.example';

it('accepts no events by default', () => {
  const { transport, acceptEventsFrom, by } = chooseTransport({ AMQP_URL, HOST_NAME: 'north' });
  expect(transport?.hostName).toBe('north');
  expect(acceptEventsFrom).toEqual([]);
  expect(by).toBe('RabbitMQ at mq.example, as north; accepts no events');
});

it('accepts events from the named hosts, and from any client only if configured', () => {
  const named = chooseTransport({ AMQP_URL, ACCEPT_EVENTS_FROM: ' south, west,' });
  expect(named.acceptEventsFrom).toEqual(['south', 'west']);
  expect(named.by).toContain('accepts events from south, west');
  expect(chooseTransport({ AMQP_URL, ACCEPT_UNPROVEN_HOSTS: 'no' }).acceptEventsFrom).toEqual([]);
  const open = chooseTransport({ AMQP_URL, ACCEPT_UNPROVEN_HOSTS: 'yes' });
  expect(open.acceptEventsFrom).toEqual([unprovenHosts]);
  expect(open.by).toContain('any client of the broker');
});

it('rejects accepted hosts without a broker', () => {
  expect(chooseTransport({}).transport).toBeNull();
  expect(() => chooseTransport({ ACCEPT_EVENTS_FROM: 'south' })).toThrow(/need AMQP_URL/);
});
