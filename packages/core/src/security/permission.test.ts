import { expect, it } from 'vitest';
import { isGranted, permission, Permission } from './permission.js';

it('accepts a resource and an action', () => {
  expect(Permission.read('orders')).toBe('orders:read');
  expect(Permission.write('orders')).toBe('orders:write');
  expect(Permission.delete('orders')).toBe('orders:delete');
  expect(Permission.admin('orders')).toBe('orders:admin');
  expect(Permission.all('orders')).toBe('orders:*');
});

it.each(['', 'orders', 'orders:', ':read', 'a:b:c', 'or ders:read', 'orders:re*d', '-x:read'])('rejects %j', (text) => {
  expect(() => permission(text)).toThrow(
    expect.objectContaining({
      code: 'SVC_INVALID_VALUE',
      message: expect.stringMatching(/^".*" is not a permission\. /) as string,
    }),
  );
  expect(() => permission(text)).toThrow(`${JSON.stringify(text)} is not a permission.`);
});

it.each([
  ['orders:write', 'orders:write', true],
  ['orders:read', 'orders:write', false],
  ['orders:*', 'orders:write', true],
  ['orders:*', 'customers:write', false],
  ['*:read', 'customers:read', true],
  ['*:read', 'customers:write', false],
  ['*:*', 'anything:at-all', true],
  ['orders:write', 'orders:*', false],
])('%s grants %s: %s', (held, wanted, granted) => {
  expect(isGranted([permission(held)], permission(wanted))).toBe(granted);
});

it('grants if one of many permissions matches', () => {
  const held = [permission('a:read'), permission('b:write')];
  expect(isGranted(held, permission('b:write'))).toBe(true);
  expect(isGranted([], permission('b:write'))).toBe(false);
});
