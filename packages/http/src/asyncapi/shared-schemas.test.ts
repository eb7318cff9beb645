import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../openapi/index.js';
import { SharedSchemas, type GeneratedSchemas } from './shared-schemas.js';

const generated = (schemas: Readonly<Record<string, object>>): GeneratedSchemas => ({
  paths: {},
  components: { schemas },
});
const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

describe('SharedSchemas', () => {
  it('has what is used and what that refers to, also if it refers to itself', () => {
    const source = generated({
      Tree: {
        type: 'object',
        properties: { children: { type: 'array', items: reference('Tree') }, leaf: reference('Leaf') },
      },
      Leaf: { type: 'string' },
      Other: {},
    });
    const schemas = new SharedSchemas();
    expect(schemas.use(reference('Tree'), source)).toEqual(reference('Tree'));
    expect(schemas.all).toEqual({ Leaf: { type: 'string' }, Tree: source.components.schemas['Tree' as never] });
  });

  it('gives types of two registries with one name different names', () => {
    const own = generated({ Money: { type: 'string' } });
    const library = generated({ Paid: { properties: { amount: reference('Money') } }, Money: { type: 'number' } });
    const schemas = new SharedSchemas();
    expect(schemas.use(reference('Money'), own)).toEqual(reference('Money'));
    expect(schemas.use(reference('Paid'), library)).toEqual(reference('Paid'));
    expect(schemas.use(reference('Money'), library)).toEqual(reference('Money_2'));
    expect(schemas.all).toEqual({
      Money: { type: 'string' },
      Money_2: { type: 'number' },
      Paid: { properties: { amount: reference('Money_2') } },
    });
    expect(schemas.add('Money', { type: 'integer' })).toEqual(reference('Money_3'));
  });

  it('writes tuples, described references and tagged unions in draft 07, and leaves data alone', () => {
    const discriminator = { propertyName: 'kind' };
    const schema = {
      properties: {
        pair: { type: 'array', prefixItems: [{ type: 'string' }, reference('A')], items: false, minItems: 2 },
        described: { ...(reference('A') as object), description: 'An A.' },
        tagged: { oneOf: [reference('A')], discriminator },
        prefixItems: { const: { prefixItems: [1], $ref: 'x' } },
      },
      additionalProperties: { anyOf: [reference('A'), { type: 'null' }] },
    };
    const schemas = new SharedSchemas();
    expect(schemas.use(schema as JsonSchema, generated({ A: {} }))).toEqual({
      properties: {
        pair: { type: 'array', items: [{ type: 'string' }, reference('A')], additionalItems: false, minItems: 2 },
        described: { allOf: [reference('A')], description: 'An A.' },
        tagged: { oneOf: [reference('A')] },
        prefixItems: { const: { prefixItems: [1], $ref: 'x' } },
      },
      additionalProperties: { anyOf: [reference('A'), { type: 'null' }] },
    });
  });
});
