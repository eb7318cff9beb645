import { expect, it } from 'vitest';
import { BrokerUsers } from './broker-users.js';
import { settingsOf } from './options.js';

it('a user stands for the host of its name', () => {
  const users = new BrokerUsers({});
  expect(users.hostsOf('billing')).toEqual(['billing']);
  expect(users.canProve('billing')).toBe(true);
  expect(users.hostsOf(undefined), 'a message without a user').toBeNull();
});

it('a user stands for the hosts that name it, and for no other', () => {
  const users = new BrokerUsers({ billing: 'billing-user', north: ['shop', 'north'], south: 'shop', closed: [] });
  expect(users.hostsOf('billing-user')).toEqual(['billing']);
  expect(users.hostsOf('billing'), 'billing has another user').toEqual([]);
  expect(users.hostsOf('shop')).toEqual(['north', 'south']);
  expect(users.hostsOf('north')).toEqual(['north']);
  expect(users.hostsOf('other')).toEqual(['other']);
  expect(['billing', 'north', 'south', 'other'].map((host) => users.canProve(host))).toEqual([true, true, true, true]);
  expect(users.canProve('closed'), 'no user stands for it').toBe(false);
  expect(users.canProve('shop'), 'its user stands for others').toBe(false);
});

it('names of objects are names like any other', () => {
  expect(new BrokerUsers({}).hostsOf('constructor')).toEqual(['constructor']);
});

it.each([
  ['users', { users: { billing: '' } }],
  ['users', { users: { billing: ['x'.repeat(256)] } }],
  ['userId', { userId: '' }],
])('%s that no broker can have are told at once: %j', (name, options) => {
  const make = () => settingsOf({ url: 'amqp://me:secret@localhost', hostName: 'orders', ...options });
  expect(make).toThrow(expect.objectContaining({ code: 'SVC_TRANSPORT_MISCONFIGURED' }) as Error);
  expect(make).toThrow(new RegExp(`${name} has to name broker users`));
});

it('messages name the user of the connection, another one, or none', () => {
  const userIdOf = (options: object) =>
    settingsOf({ url: 'amqp://me:secret@localhost', hostName: 'orders', ...options }).userId;
  expect([userIdOf({}), userIdOf({ userId: 'other' }), userIdOf({ userId: null })]).toEqual(['me', 'other', null]);
});
