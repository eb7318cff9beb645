import { buildSchema, parseValue, type GraphQLInputType } from 'graphql';
import { expect, it } from 'vitest';
import { literalValue } from './literal-values.js';

const schema = buildSchema(`
  type Query { a: String }
  input In { price: Decimal, ratio: Float, items: [In!], any: JSON }
  scalar Decimal
  scalar JSON
`);

function valueOf(text: string, variables: Record<string, unknown> = {}): unknown {
  const make = literalValue(
    parseValue(text),
    schema.getType('In') as GraphQLInputType,
    (name) => (given) => given[name],
  );
  return make(variables);
}

it.each([
  ['{ price: 1.10 }', { price: '1.10' }],
  ['{ price: "1.10" }', { price: '1.10' }],
  ['{ ratio: 1.10 }', { ratio: 1.1 }],
  ['{ ratio: 9007199254740992 }', { ratio: 9_007_199_254_740_992 }],
  // A double would change it, so it stays a string, which no reader accepts as a number.
  ['{ ratio: 9007199254740993 }', { ratio: '9007199254740993' }],
  ['{ items: [{ price: 2.0 }] }', { items: [{ price: '2.0' }] }],
  ['{ items: { price: 2.0 } }', { items: { price: '2.0' } }],
  ['{ any: { price: 2.0, deep: [NAME, null, true] } }', { any: { price: 2, deep: ['NAME', null, true] } }],
])('%s', (text, expected) => expect(valueOf(text)).toEqual(expected));

it('inserts variables, and omits missing ones', () => {
  expect(valueOf('{ ratio: $a, price: $b, items: [{ ratio: $a }] }', { a: 1 })).toEqual({
    ratio: 1,
    items: [{ ratio: 1 }],
  });
});

it('creates a new value each time', () => {
  const make = literalValue(parseValue('{ items: [{ ratio: 1 }] }'), undefined, () => () => undefined);
  expect(make({})).toEqual(make({}));
  expect(make({})).not.toBe(make({}));
});

it('passes a key that could reach a prototype to the reader', () => {
  const value = valueOf('{ any: { __proto__: { polluted: true } } }') as { any: object };
  expect(Object.keys(value.any)).toEqual(['__proto__']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
