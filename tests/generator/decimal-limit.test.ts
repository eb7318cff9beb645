/** The limit of decimals exists in their reader and in generated code. */
import { longestDecimal } from '@svc/core/json';
import { expect, it } from 'vitest';
import { graphql } from '../../examples/orders/src/generated/graphql.js';
import { openapi } from '../../examples/orders/src/generated/openapi.js';

it('is the same in readers, OpenAPI and GraphQL', () => {
  const schemas = openapi.components.schemas as Record<string, { properties: Record<string, object> }>;
  expect(schemas['LineItem']!.properties['unitPrice']).toMatchObject({
    anyOf: [{ format: 'decimal', maxLength: longestDecimal }, { type: 'number' }],
  });
  expect(JSON.stringify(graphql)).toContain(
    `A decimal number of at most ${longestDecimal.toLocaleString('en')} characters`,
  );
});
