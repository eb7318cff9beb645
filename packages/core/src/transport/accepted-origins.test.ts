import { expect, it } from 'vitest';
import { AcceptedOrigins, hostsOf, unprovenHosts, type AcceptedHost } from './accepted-origins.js';

it('collects the hosts of all declarations, and requires proof unless one of them accepts any client', () => {
  const origins = new AcceptedOrigins();
  origins.add(['north', 'south']);
  origins.add(['east']);
  expect([...origins.hosts]).toEqual(['north', 'south', 'east']);
  expect(origins.acceptsUnproven).toBe(false);
  origins.add(['west', unprovenHosts]);
  expect([...origins.hosts]).toEqual(['north', 'south', 'east', 'west']);
  expect(origins.acceptsUnproven).toBe(true);
});

it('accepts one host or several, by valid names', () => {
  expect(hostsOf('north')).toEqual(['north']);
  expect(hostsOf(unprovenHosts)).toEqual([unprovenHosts]);
  const hosts = ['north_1.eu-west', unprovenHosts, 'x'.repeat(100)] as const;
  expect(hostsOf(hosts)).toEqual(hosts);
});

it.each<[string, unknown]>([
  ['an empty name', ''],
  ['a name with a space', 'a host'],
  ['a name with more than 100 characters', 'x'.repeat(101)],
  ['another symbol', Symbol('unprovenHosts')],
  ['a number', 1],
  ['an invalid name after a valid one', ['north', 'a/b']],
])('rejects %s', (_, from) => {
  expect(() => hostsOf(from as AcceptedHost)).toThrow(
    expect.objectContaining({ code: 'SVC_INVALID_HOST_NAME' }) as Error,
  );
});
