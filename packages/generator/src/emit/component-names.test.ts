import { describe, expect, it } from 'vitest';
import type { NamedType, PropertyModel, TypeModel } from '../model/index.js';
import { DirectedNames } from './component-names.js';
import { TypeIndex } from './type-index.js';

const text: TypeModel = { kind: 'string' };
const decimal: TypeModel = { kind: 'string', format: 'decimal' };
const ref = (id: string): TypeModel => ({ kind: 'ref', id });

function named(
  id: string,
  properties: Readonly<Record<string, TypeModel>>,
  personal: readonly string[] = [],
): NamedType {
  const models = Object.entries(properties).map(([name, type]): PropertyModel => {
    const property = { name, type, presence: 'required', description: null } as const;
    return personal.includes(name) ? Object.assign(property, { personal: 'id' }) : property;
  });
  const [module, name] = id.split('#') as [string, string];
  return {
    id,
    name,
    module,
    exportName: name,
    isClass: false,
    constructorProperties: [],
    isRecursive: false,
    description: null,
    type: { kind: 'object', properties: models },
  };
}

const types = [
  named('shop#Buy', { price: ref('shop#Money') }),
  named('shop#Money', { amount: decimal }),
  named('shop#Address', { city: text }),
  named('shop#Customer', { id: text, name: text }, ['name']),
  named('events#Bought', { price: ref('shop#Money'), to: ref('shop#Address'), by: ref('shop#Customer') }),
  named('events#Address', { code: text }),
];
const everything = types.map(({ id }) => id);

function namesOf(sent: readonly string[], returned: readonly string[], published: readonly string[]): DirectedNames {
  const uses = { sent: new Set(sent), returned: new Set(returned), published: new Set(published) };
  return new DirectedNames(types, uses, TypeIndex.of(types));
}

describe('the names of schemas', () => {
  const served = ['shop#Buy', 'shop#Money', 'shop#Address'];

  it('are the same for messages, except where a message has another form', () => {
    const names = namesOf(served, ['shop#Customer'], everything);
    const ofMessages = everything.map((id) => names.get(id, 'message'));
    expect(ofMessages).toEqual([
      'BuyMessage',
      'MoneyMessage',
      'Address',
      'CustomerMessage',
      'Bought',
      'AddressMessage',
    ]);
    expect(everything.map((id) => names.formsOf(id))).toEqual([
      ['request', 'message'],
      ['request', 'message'],
      ['request'],
      ['response', 'message'],
      ['message'],
      ['message'],
    ]);
  });

  it('need no other form of a decimal for messages if responses have it', () => {
    const names = namesOf(served, ['shop#Money'], ['shop#Money']);
    expect([names.get('shop#Money', 'message'), names.get('shop#Money', 'request')]).toEqual(['Money', 'MoneyInput']);
    expect(names.formsOf('shop#Money')).toEqual(['response', 'request']);
  });

  it('do not change in the API because of messages', () => {
    const [without, withMessages] = [namesOf(served, [], []), namesOf(served, [], everything)];
    for (const id of served) expect(withMessages.get(id, 'request')).toBe(without.get(id, 'request'));
  });

  it('are qualified if two messages have one name', () => {
    const names = namesOf([], [], ['shop#Address', 'events#Address']);
    expect(names.get('shop#Address', 'message')).toBe('shop.Address');
    expect(names.get('events#Address', 'message')).toBe('events.Address');
  });
});
