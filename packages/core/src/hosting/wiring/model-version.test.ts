import { describe, expect, it } from 'vitest';
import { foldOrderVersion } from '../../perspectives/index.js';
import { ScopeFilters } from '../../security/index.js';
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
const versionOf = (schemas: object, declared = 1, owners: number = ScopeFilters.Tenant): string =>
  modelVersion('Orders', declared, owners, {
    paths: {},
    components: { schemas },
    models: { Orders: { $ref: '#/components/schemas/Order' } },
  });
const plain = versionOf({ Order: order, Line: line });

describe('the version of models', () => {
  it('is the same for the same type, regardless of its comments and of other types', () => {
    const documented = { ...order, description: 'An order.', title: 'Order' };
    const counted = { ...line, properties: { quantity: { description: 'How many.', type: 'integer' } } };
    expect(versionOf({ Line: counted, Other: {}, Order: documented })).toBe(plain);
  });

  it('does not depend on the length limit of decimals, which applies to callers only', () => {
    const priced = (price: object) => versionOf({ Order: { ...order, properties: { price } }, Line: line });
    const decimal = { type: 'string', format: 'decimal', pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$' };
    expect(priced({ ...decimal, maxLength: 1_000 })).toBe(priced(decimal));
    expect(priced({ type: 'string', maxLength: 1_000 })).not.toBe(priced({ type: 'string' }));
    const named = { properties: { format: decimal, maxLength: { type: 'integer' } } };
    expect(priced(named)).not.toBe(priced({ properties: { format: decimal } }));
  });

  it('does not depend on the sign of a decimal, which a bound in its pattern shows', () => {
    const priced = (pattern: string) =>
      versionOf({ Order: { type: 'string', format: 'decimal', pattern }, Line: line });
    expect(priced('^(0|[1-9][0-9]*)(\\.[0-9]+)?$')).toBe(priced('^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$'));
    const named = (pattern: object) => versionOf({ Order: { properties: { format: 'decimal', pattern } }, Line: line });
    expect(named({ type: 'string' })).not.toBe(named({ type: 'integer' }));
  });

  it.each([
    ['a property', { Order: { ...order, properties: { ...order.properties, note: { type: 'string' } } }, Line: line }],
    [
      'a property called description',
      { Order: { ...order, properties: { lines: order.properties.lines } }, Line: line },
    ],
    ['a type inside it', { Order: order, Line: { ...line, properties: { quantity: { type: 'string' } } } }],
  ])('changes with %s', (_what, schemas) => expect(versionOf(schemas)).not.toBe(plain));

  it('changes with the declared version and the scope values that own models', () => {
    expect(versionOf({ Order: order, Line: line }, 2)).not.toBe(plain);
    expect(versionOf({ Order: order, Line: line }, 1, ScopeFilters.None)).not.toBe(plain);
  });

  it('consists of the declared version, the owners and the order of events if the type is unknown', () => {
    const version = modelVersion('Orders', 3, ScopeFilters.Tenant, { paths: {}, components: { schemas: {} } });
    expect(version).toBe(`3.1.${foldOrderVersion}`);
  });
});
