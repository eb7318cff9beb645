import { describe, expect, it } from 'vitest';
import { openApiDocument } from './index.js';

describe('openApiDocument', () => {
  it("does not replace a program's own type called Problem", () => {
    const own = { type: 'string' };
    const schema = { $ref: '#/components/schemas/Problem' };
    const responses = { '200': { description: 'The result.', content: { 'application/json': { schema } } } };
    const paths = { '/problems': { post: { responses } } };
    const { components } = openApiDocument({ paths, components: { schemas: { Problem: own } } }, {}, '');
    expect(components.schemas['Problem']).toBe(own);
    expect(components.responses['BadRequest']!.content!['application/problem+json']!.schema).toEqual({
      $ref: '#/components/schemas/SvcProblem',
    });
    expect(components.schemas['SvcProblem']).toMatchObject({ description: 'An error response (RFC 9457).' });
  });

  it('has no schemas and no names that only messages between hosts need', () => {
    const generated = { components: { schemas: { Problem: {} } }, paths: {}, messages: { 'shop.Problem': {} } };
    const { components } = openApiDocument(generated, {}, '');
    expect(Object.keys(components.schemas)).toEqual(['Problem']);
    expect(components.schemas['Problem']).toMatchObject({ description: 'An error response (RFC 9457).' });
  });

  it('groups operations by the first part of their path that is no version and no parameter', () => {
    const post = { responses: {} };
    const paths = { '/v1/orders/cancel': { post }, '/orders': { post }, '/{tenant}/orders': { post }, '/': { post } };
    const document = openApiDocument({ paths, components: { schemas: {} } }, {}, '');
    const tags = Object.values(document.paths).map((item) => item.post?.tags);
    expect(tags).toEqual([['orders'], ['orders'], ['orders'], ['API']]);
  });
});
