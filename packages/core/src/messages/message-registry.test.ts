import { expect, it } from 'vitest';
import { MessageRegistry, type MessageDescriptor } from './message-registry.js';

class Buy {}
class Sell {}

const describe = (type: string, messageClass: new () => object): MessageDescriptor => ({
  type,
  kind: 'command',
  class: messageClass,
  read: () => new messageClass(),
  write: () => '{}',
});

it('finds a message by its instance and by its type name', () => {
  const registry = new MessageRegistry([describe('shop.Buy', Buy)]);
  expect(registry.of(new Buy()).type).toBe('shop.Buy');
  expect(registry.ofType('shop.Buy').class).toBe(Buy);
  expect(registry.ofClass(Buy).type).toBe('shop.Buy');
});

it('says so when a message is not registered', () => {
  const registry = new MessageRegistry([]);
  expect(() => registry.of(new Buy())).toThrow(expect.objectContaining({ code: 'SVC_UNKNOWN_MESSAGE' }));
  expect(() => registry.ofType('shop.Sell')).toThrow('shop.Sell is not a registered message');
  expect(() => registry.ofClass(Sell)).toThrow('Sell is not a registered message');
  expect(() => registry.of(Object.create(null) as object)).toThrow('A plain object is not a registered message');
});

it.each([
  ['one type name for two classes', [describe('shop.Buy', Buy), describe('shop.Buy', Sell)]],
  ['one class under two type names', [describe('shop.Buy', Buy), describe('shop.Sell', Buy)]],
])('refuses %s', (_what, descriptors) => {
  expect(() => new MessageRegistry(descriptors)).toThrow(expect.objectContaining({ code: 'SVC_DUPLICATE_MESSAGE' }));
});
