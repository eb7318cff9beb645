import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hosting } from './testing/host.js';

const json = { accept: 'application/graphql-response+json' };
const parameters = (values: Record<string, string>): string => new URLSearchParams(values).toString();

async function getting(url: string, values: Record<string, string>, headers: Record<string, string> = json) {
  const response = await fetch(`${url}/graphql?${parameters(values)}`, { headers });
  const text = await response.text();
  const body = text.startsWith('{')
    ? (JSON.parse(text) as { data?: object; errors?: { extensions: { code: string } }[] })
    : { errors: [] };
  return { response, body, code: body.errors?.[0]?.extensions.code };
}

describe('a query by GET', () => {
  it('is answered, with variables, and is not cached without asking', async () => {
    await hosting({}, async ({ url }) => {
      const query = 'query A($is: Boolean!) { service @include(if: $is) } query B { __typename }';
      const { response, body } = await getting(url, { query, operationName: 'A', variables: '{"is":true}' });
      expect([response.status, body.data]).toMatchObject([200, { service: expect.any(String) as string }]);
      expect(response.headers.get('cache-control')).toBe('private, no-cache');
      expect((await getting(url, { query, operationName: 'B' })).body.data).toEqual({ __typename: 'Query' });
    });
  });

  it.each([
    ['no query', {}, 400, 'BAD_REQUEST'],
    ['variables that are not JSON', { query: '{ service }', variables: '{' }, 400, 'MALFORMED_JSON'],
    ['variables that are no object', { query: '{ service }', variables: '[1]' }, 400, 'BAD_REQUEST'],
    ['a key that reaches a prototype', { query: '{ service }', variables: '{"__proto__":1}' }, 400, 'INVALID_REQUEST'],
    ['extensions that are no object', { query: '{ service }', extensions: '1' }, 400, 'BAD_REQUEST'],
    ['a document that is too long', { query: `{ service } #${'x'.repeat(20_000)}` }, 431, undefined],
  ])('with %s is rejected', async (_name, values, status, code) => {
    await hosting({}, async ({ url }) => {
      const answer = await getting(url, values);
      expect([answer.response.status, answer.code]).toEqual([status, code]);
    });
  });

  it('with two queries is rejected', async () => {
    await hosting({}, async ({ url }) => {
      const response = await fetch(`${url}/graphql?query={service}&query={service}`, { headers: json });
      expect(response.status).toBe(400);
    });
  });

  it.each([
    ['a mutation', 'mutation { count(command: { amount: 1, price: "1", tags: [] }) { amount } }'],
    ['a mutation without effects', 'mutation { __typename }'],
  ])('cannot be %s', async (_name, query) => {
    let calls = 0;
    const receive = (): never => {
      calls++;
      throw new Error('called');
    };
    await hosting({ receive }, async ({ url }) => {
      const { response, code } = await getting(url, { query });
      expect([response.status, response.headers.get('allow'), code]).toEqual([405, 'POST', 'METHOD_NOT_ALLOWED']);
      expect(calls).toBe(0);
    });
  });

  it.each([
    ['an image', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' }],
    ['an image with CORS', { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' }],
    ['a script', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script', 'sec-fetch-site': 'same-site' }],
    ['a link', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }],
  ])('of a browser for %s is rejected', async (_name, headers) => {
    await hosting({}, async ({ get }) => {
      const answer = await get('/graphql?query={service}', { accept: '*/*', ...headers });
      expect(answer).toEqual([403, expect.stringContaining('CROSS_SITE_REQUEST') as string]);
      const own = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' };
      expect((await get('/graphql?query={service}', own))[0]).toBe(200);
    });
  });
});

it('the explorer is only for those who accept HTML', async () => {
  await hosting({ explorer: true }, async ({ url }) => {
    const page = await getting(url, {}, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect(page.response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.response.headers.get('vary')).toBe('Accept');
    const { response } = await getting(url, { query: '{ service }' }, { accept: '*/*' });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

describe('an automatic persisted query', () => {
  const query = '{ service }';
  const sha256Hash = createHash('sha256').update(query).digest('hex');
  const extensions = (hash = sha256Hash): string =>
    JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hash } });

  it('is unknown until it is sent with its hash', async () => {
    await hosting({}, async ({ url }) => {
      const unknown = await getting(url, { extensions: extensions() });
      expect([unknown.response.status, unknown.code]).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND']);
      expect(unknown.body.errors?.[0]).toMatchObject({ message: 'PersistedQueryNotFound' });
      expect((await getting(url, { query, extensions: extensions() })).response.status).toBe(200);
      expect((await getting(url, { extensions: extensions() })).body.data).toMatchObject({ service: 'trial' });
    });
  });

  it('is not registered under the hash of another one, or if it is invalid', async () => {
    await hosting({}, async ({ url }) => {
      const other = await getting(url, { query: '{ __typename }', extensions: extensions() });
      expect([other.response.status, other.code]).toEqual([400, 'BAD_REQUEST']);
      expect((await getting(url, { extensions: extensions() })).code).toBe('PERSISTED_QUERY_NOT_FOUND');
      const invalid = '{ unknown }';
      const hash = createHash('sha256').update(invalid).digest('hex');
      await getting(url, { query: invalid, extensions: extensions(hash) });
      expect((await getting(url, { extensions: extensions(hash) })).code).toBe('PERSISTED_QUERY_NOT_FOUND');
    });
  });
});
