import { expect, it } from 'vitest';
import { failureByCode, commandFailures, ValidationError } from '../errors/index.js';
import type { Issues } from '../json/index.js';
import { eventVersion } from './event-version.js';
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

it('rejects a message that is not registered', () => {
  const registry = new MessageRegistry([]);
  expect(() => registry.of(new Buy())).toThrow(expect.objectContaining({ code: 'SVC_UNKNOWN_MESSAGE' }));
  expect(() => registry.ofType('shop.Sell')).toThrow('shop.Sell is not a registered message');
  expect(() => registry.ofClass(Sell)).toThrow('Sell is not a registered message');
  expect(() => registry.of(Object.create(null) as object)).toThrow('A plain object is not a registered message');
});

it('reports type, place and reason of an unreadable event, with a code that does not blame the caller', () => {
  const read = (value: unknown, issues: Issues): object => {
    issues.add('price', 'must be a decimal number');
    return value as object;
  };
  const registry = new MessageRegistry([{ ...describe('shop.Bought', Buy), read }]);
  const error = thrown(() => registry.readStoredMessage('shop.Bought', {}, {}));
  expect(error).toMatchObject({
    code: 'SVC_UNREADABLE_EVENT',
    message: expect.stringMatching(/Cannot read an event of type shop\.Bought\. .* \/price must be a decimal number/),
    cause: expect.any(ValidationError),
  });
  expect(failureByCode(error, commandFailures)).toBeUndefined();
});

it.each([
  ['one type name for two classes', [describe('shop.Buy', Buy), describe('shop.Buy', Sell)]],
  ['one class under two type names', [describe('shop.Buy', Buy), describe('shop.Sell', Buy)]],
])('rejects %s', (_what, descriptors) => {
  expect(() => new MessageRegistry(descriptors)).toThrow(expect.objectContaining({ code: 'SVC_DUPLICATE_MESSAGE' }));
});

function thrown(run: () => unknown): unknown {
  try {
    return expect.unreachable(String(run()));
  } catch (error) {
    return error;
  }
}

it('removes all texts of a body from the error of its upcaster, if its type can have personal data', () => {
  class Registered {}
  eventVersion(2, {
    1: ({ name, address }) => {
      throw new Error(`no place for ${String(name)} of ${(address as { city: string }).city}`);
    },
  })(Registered);
  const read = (descriptor: object): unknown => {
    const registry = new MessageRegistry([
      { type: 'a.Registered', kind: 'event', class: Registered, read: () => ({}), write: () => '', ...descriptor },
    ]);
    try {
      return registry.readStoredMessage('a.Registered', { name: 'Ann', address: { city: 'Rome' } }, {});
    } catch (error) {
      return ((error as Error).cause as Error).message;
    }
  };
  expect(read({ hasPersonal: true })).toBe('no place for [secret] of [secret]');
  expect(read({})).toBe('no place for Ann of Rome');
});
