import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../openapi/index.js';
import { exampleOf } from './example.js';
import { schemaView, typeOf } from './schema-view.js';

const text = (schema: JsonSchema): string =>
  typeOf(schema)
    .toString()
    .replace(/<[^>]+>/g, '');

describe('a type in words', () => {
  it.each<[JsonSchema, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: 'string', format: 'uuid' }, 'string uuid'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ const: 'card' }, '&quot;card&quot;'],
    [{ enum: ['a', 2, true] }, 'one of &quot;a&quot;, 2, true'],
    [{ $ref: '#/components/schemas/LineItem' }, 'LineItem'],
    [{ anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] }, 'A or null'],
    [{ oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] }, 'A or B'],
    [{ type: 'array', items: { type: 'array', items: { type: 'integer' } } }, 'array of array of integer'],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, 'array of string, then number'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'map of number'],
    [{}, 'any JSON'],
    [true, 'any JSON'],
    [false, 'nothing'],
  ])('%j reads "%s"', (schema, words) => {
    expect(text(schema)).toBe(words);
  });
});

describe('a schema as a table', () => {
  it('shows objects without a name in place, with dotted names', () => {
    const inner: JsonSchema = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } };
    const view = schemaView({
      type: 'object',
      required: ['home'],
      properties: { home: inner, others: { type: 'array', items: inner, maxItems: 3 } },
    }).toString();
    const names = [...view.matchAll(/<code>([^<]+)<\/code>\s*<span class="(\w+)">/g)].map(([, name, how]) => [
      name,
      how,
    ]);
    expect(names).toEqual([
      ['home', 'required'],
      ['home.city', 'required'],
      ['others', 'optional'],
      ['others[].city', 'required'],
    ]);
    expect(view).toContain('at most 3 items');
  });

  it.each<[JsonSchema, string]>([
    [{ type: 'integer', minimum: 1 }, 'at least 1'],
    [{ type: 'integer', minimum: 1, maximum: 9 }, '1 to 9'],
    [{ type: 'string', minLength: 3, maxLength: 3 }, 'exactly 3 characters'],
    [{ type: 'array', items: {}, maxItems: 5, uniqueItems: true }, 'at most 5 items, unique items'],
    [{ type: 'string', pattern: '^<a>$' }, 'matches ^&lt;a&gt;$'],
    [{ type: 'string', default: 'x' }, 'default &quot;x&quot;'],
  ])('shows the constraints of %j', (schema, words) => {
    expect(schemaView(schema).toString()).toContain(`<span class="constraints">${words}</span>`);
  });
});

describe('an example', () => {
  const schemas: Record<string, JsonSchema> = {
    Tree: {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 6 },
        left: { anyOf: [{ $ref: '#/components/schemas/Tree' }, { type: 'null' }] },
        others: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
      },
    },
  };

  it('ends where a type contains itself', () => {
    const tree = exampleOf({ $ref: '#/components/schemas/Tree' }, schemas);
    expect(tree).toEqual({ name: 'texttt', left: null, others: [] });
  });

  it.each<[JsonSchema, unknown]>([
    [{ type: 'integer', minimum: 5 }, 5],
    [{ type: 'number', maximum: 0 }, 0],
    [{ type: 'boolean' }, true],
    [{ enum: ['b', 'a'] }, 'b'],
    [{ type: 'string', format: 'date-time' }, '2026-01-31T12:00:00Z'],
    [{ type: 'string', examples: ['Ada'] }, 'Ada'],
    [{ type: 'array', prefixItems: [{ type: 'null' }, { type: 'string' }] }, [null, 'text']],
    [{}, {}],
  ])('of %j is %j', (schema, value) => {
    expect(exampleOf(schema, schemas)).toEqual(value);
  });
});
