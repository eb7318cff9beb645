import { expect, it } from 'vitest';
import { BrokerUsers } from './broker-users.js';
import { settingsOf } from './options.js';

it('a user represents the host of the same name', () => {
  const users = new BrokerUsers({});
  expect(users.hostsOf('billing')).toEqual(['billing']);
  expect(users.canProve('billing')).toBe(true);
  expect(users.hostsOf(undefined), 'a message without a user').toBeNull();
});

it('a user represents exactly the hosts that are configured with it', () => {
  const users = new BrokerUsers({ billing: 'billing-user', north: ['shop', 'north'], south: 'shop', closed: [] });
  expect(users.hostsOf('billing-user')).toEqual(['billing']);
  expect(users.hostsOf('billing'), 'billing has another user').toEqual([]);
  expect(users.hostsOf('shop')).toEqual(['north', 'south']);
  expect(users.hostsOf('north')).toEqual(['north']);
  expect(users.hostsOf('other')).toEqual(['other']);
  expect(['billing', 'north', 'south', 'other'].map((host) => users.canProve(host))).toEqual([true, true, true, true]);
  expect(users.canProve('closed'), 'no user represents it').toBe(false);
  expect(users.canProve('shop'), 'its user represents other hosts').toBe(false);
});

it('names of object properties are valid host names', () => {
  expect(new BrokerUsers({}).hostsOf('constructor')).toEqual(['constructor']);
});

it.each([
  ['users', { users: { billing: '' } }],
  ['users', { users: { billing: ['x'.repeat(256)] } }],
  ['userId', { userId: '' }],
])('%s that no broker can have are rejected at once: %j', (name, options) => {
  const make = () => settingsOf({ url: 'amqp://me:secret@localhost', hostName: 'orders', ...options });
  expect(make).toThrow(expect.objectContaining({ code: 'SVC_TRANSPORT_MISCONFIGURED' }) as Error);
  expect(make).toThrow(new RegExp(`${name} must name broker users`));
});

it('messages carry the user of the connection, a configured user, or none', () => {
  const userIdOf = (options: object) =>
    settingsOf({ url: 'amqp://me:secret@localhost', hostName: 'orders', ...options }).userId;
  expect([userIdOf({}), userIdOf({ userId: 'other' }), userIdOf({ userId: null })]).toEqual(['me', 'other', null]);
});
