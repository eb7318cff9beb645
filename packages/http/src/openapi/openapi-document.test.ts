import { describe, expect, it } from 'vitest';
import { openApiDocument } from './index.js';

describe('openApiDocument', () => {
  it("does not replace a program's own type called Problem", () => {
    const own = { type: 'string' };
    const { components } = openApiDocument({ paths: {}, components: { schemas: { Problem: own } } }, {}, '');
    expect(components.schemas['Problem']).toBe(own);
    expect(components.responses['BadRequest']!.content!['application/problem+json']!.schema).toEqual({
      $ref: '#/components/schemas/SvcProblem',
    });
    expect(components.schemas['SvcProblem']).toMatchObject({ description: 'An error response (RFC 9457).' });
  });
});
