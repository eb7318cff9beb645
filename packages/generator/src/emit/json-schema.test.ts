import { expect, it } from 'vitest';
import type { TaggedType, TypeModel } from '../model/index.js';
import { SchemaWriter } from './json-schema.js';

const named = (kinds: readonly string[]): TypeModel => ({
  kind: 'object',
  properties: [{ name: 'kind', type: { kind: 'literal', values: kinds }, presence: 'required', description: null }],
});
const writer = new SchemaWriter((id) => id, 'response');
const paid = (card: TypeModel, cash: TypeModel): TaggedType => ({
  kind: 'tagged',
  tag: 'kind',
  arms: [
    { value: 'card', type: card },
    { value: 'cash', type: cash },
    { value: 'debit', type: card },
  ],
});

it('lists an arm with two tags once, because exactly one schema of oneOf must match', () => {
  const [card, cash] = [named(['card', 'debit']), named(['cash'])];
  expect(writer.of(paid(card, cash))).toEqual({ oneOf: [writer.of(card), writer.of(cash)] });
});

it('maps every tag of an arm in the discriminator', () => {
  const [card, cash] = ['Card', 'Cash'].map((id): TypeModel => ({ kind: 'ref', id }));
  expect(writer.of(paid(card!, cash!))).toEqual({
    oneOf: [writer.ref('Card'), writer.ref('Cash')],
    discriminator: {
      propertyName: 'kind',
      mapping: {
        card: '#/components/schemas/Card',
        cash: '#/components/schemas/Cash',
        debit: '#/components/schemas/Card',
      },
    },
  });
});

it('writes personal data as they are in messages: encrypted', () => {
  const income: TypeModel = { kind: 'string', format: 'decimal' };
  const person: TypeModel = {
    kind: 'object',
    properties: [{ name: 'income', type: income, presence: 'required', description: 'Per month.', personal: 'id' }],
  };
  expect(writer.of(person)).toMatchObject({ properties: { income: { type: 'string', format: 'decimal' } } });
  expect(new SchemaWriter((id) => id, 'message').of(person)).toMatchObject({
    properties: {
      income: {
        anyOf: [{ type: 'string', pattern: '^svc-personal:1:' }, { type: 'null' }],
        description: 'Per month. Personal data, encrypted.',
      },
    },
  });
});
