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

it('writes defaults for callers, except those of constants', () => {
  const type: TypeModel = {
    kind: 'object',
    properties: [
      { name: 'note', type: { kind: 'string' }, presence: 'initialised', description: 'A note.', default: '' },
      {
        name: 'tags',
        type: { kind: 'array', items: { kind: 'string' } },
        presence: 'initialised',
        description: null,
        default: ['a'],
      },
      {
        name: 'kind',
        type: { kind: 'literal', values: ['card'] },
        presence: 'initialised',
        description: null,
        default: 'card',
      },
      { name: 'id', type: { kind: 'string' }, presence: 'initialised', description: null },
    ],
  };
  expect(new SchemaWriter((id) => id, 'request').of(type)['properties']).toEqual({
    note: { type: 'string', default: '', description: 'A note.' },
    tags: { type: 'array', items: { type: 'string' }, default: ['a'] },
    kind: { const: 'card' },
    id: { type: 'string' },
  });
  for (const form of ['response', 'message'] as const) {
    expect(JSON.stringify(new SchemaWriter((id) => id, form).of(type))).not.toContain('default');
  }
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
