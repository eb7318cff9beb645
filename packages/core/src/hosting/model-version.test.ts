import { describe, expect, it } from 'vitest';
import { modelVersion } from './model-version.js';

const line = { type: 'object', properties: { quantity: { type: 'integer' } } };
const order = {
  type: 'object',
  properties: {
    description: { type: 'string' },
    lines: { type: 'array', items: { $ref: '#/components/schemas/Line' } },
    parent: { $ref: '#/components/schemas/Order' },
  },
};
const versionOf = (schemas: object, declared = 1): string =>
  modelVersion('Orders', declared, {
    paths: {},
    components: { schemas },
    models: { Orders: { $ref: '#/components/schemas/Order' } },
  });
const plain = versionOf({ Order: order, Line: line });

describe('the version of models', () => {
  it('is the same for the same type, whatever its comments say and whatever else there is', () => {
    const told = { ...order, description: 'An order.', title: 'Order' };
    const counted = { ...line, properties: { quantity: { description: 'How many.', type: 'integer' } } };
    expect(versionOf({ Line: counted, Other: {}, Order: told })).toBe(plain);
  });

  it.each([
    ['a property', { Order: { ...order, properties: { ...order.properties, note: { type: 'string' } } }, Line: line }],
    [
      'a property called description',
      { Order: { ...order, properties: { lines: order.properties.lines } }, Line: line },
    ],
    ['a type inside it', { Order: order, Line: { ...line, properties: { quantity: { type: 'string' } } } }],
  ])('changes with %s', (_what, schemas) => expect(versionOf(schemas)).not.toBe(plain));

  it('changes with the declared one, and is that alone where nothing is known of the type', () => {
    expect(versionOf({ Order: order, Line: line }, 2)).not.toBe(plain);
    expect(modelVersion('Orders', 3, { paths: {}, components: { schemas: {} } })).toBe('3');
  });
});
