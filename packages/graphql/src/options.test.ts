import { createHash } from 'node:crypto';
import { ServiceError } from '@svc/core';
import { fetchHandler } from '@svc/http';
import { buildSchema, getIntrospectionQuery, parse, validate } from 'graphql';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { graphQL } from './index.js';
import { command, hosting, mutation } from './testing/host.js';
import { trialService } from './testing/trial-service.js';

afterEach(() => void vi.unstubAllEnvs());

describe('in development', () => {
  it('introspection is allowed', async () => {
    await hosting({}, async ({ send }) => {
      const { status, body } = await send(getIntrospectionQuery({ oneOf: true, descriptions: true }));
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain('"kind":"INPUT_OBJECT","name":"CountInput"');
    });
  });

  it('the explorer is served, and loads nothing from other servers', async () => {
    await hosting({}, async ({ url }) => {
      const page = await (await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } })).text();
      expect(page).not.toMatch(/https?:/);
      const links = [...page.matchAll(/(?:href|src)="([^":]+)"/g)].map(([, link]) => link!);
      expect(links.map((link) => link.replace(/\?v=[0-9a-f]{16}$/, ''))).toEqual([
        'graphql/explorer.css',
        'graphql/explorer.js',
      ]);
      for (const link of links) {
        const response = await fetch(new URL(link, `${url}/graphql`));
        expect([link, response.status]).toEqual([link, 200]);
      }
    });
  });
});

describe('in production', () => {
  it.each([
    ['set by NODE_ENV', {}],
    ['set by an option', { development: false }],
  ])('introspection and the explorer are disabled: %s', async (_name, options) => {
    vi.stubEnv('NODE_ENV', 'production');
    await hosting(options, async ({ send, url }) => {
      for (const query of [
        '{ __schema { types { name } } }',
        '{ __type(name: "Count") { name } }',
        getIntrospectionQuery(),
      ]) {
        const { status, body } = await send(query);
        expect([status, body.errors?.[0]?.extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
        expect(body.data).toBeUndefined();
      }
      const page = await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } });
      expect([page.status, page.headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8']);
      expect((await fetch(`${url}/graphql/explorer.js`)).status).toBe(404);
      expect((await send('{ __typename }')).body).toEqual({ data: { __typename: 'Query' } });
    });
  });
});

describe('persisted operations', () => {
  const id = createHash('sha256').update(mutation).digest('hex');
  const operations = { [id]: mutation };

  it('are found by their id, in both formats that clients send', async () => {
    await hosting({ persistedOperations: { operations } }, async ({ post }) => {
      const variables = { command };
      const extensions = { persistedQuery: { version: 1, sha256Hash: id } };
      for (const body of [
        { documentId: id, variables },
        { extensions, variables },
      ]) {
        expect((await post(body)).body).toEqual({ data: { count: { amount: 2, price: '3.50' } } });
      }
    });
  });

  it('are the only ones that are served, also if their text is sent', async () => {
    await hosting({ persistedOperations: { operations } }, async ({ post, send, url }) => {
      const rejected = await send(mutation, { command });
      expect([rejected.status, rejected.body.errors?.[0]?.extensions.code]).toEqual([
        400,
        'PERSISTED_OPERATION_REQUIRED',
      ]);
      for (const documentId of ['unknown', '__proto__', 'toString']) {
        const unknown = await post({ documentId, query: mutation, variables: { command } });
        expect([unknown.status, unknown.body.errors?.[0]?.extensions.code]).toEqual([
          404,
          'PERSISTED_OPERATION_NOT_FOUND',
        ]);
      }
      const page = await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } });
      expect([page.status, page.headers.get('content-type')]).toEqual([400, 'application/json; charset=utf-8']);
      const byHash = { extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } };
      const unregistered = await post(byHash);
      expect(unregistered.body.errors?.[0]?.extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
      const registering = await post({ ...byHash, query: '{ service }' });
      expect([registering.status, registering.body.errors?.[0]?.extensions.code]).toEqual([
        400,
        'PERSISTED_OPERATION_REQUIRED',
      ]);
      expect((await post(byHash)).body.data).toBeUndefined();
    });
  });

  it('may be looked up by a function, and be combined with other operations', async () => {
    const find = async (requested: string): Promise<string | null> => operations[requested] ?? null;
    await hosting({ persistedOperations: { operations: find, only: false } }, async ({ post, send }) => {
      expect((await post({ documentId: id, variables: { command } })).status).toBe(200);
      expect((await send('{ service }')).status).toBe(200);
      expect((await post({ documentId: 'unknown' })).status).toBe(404);
    });
  });
});

it('accepts configured limits', async () => {
  const counting = (fields: string): string =>
    `mutation { count(command: { amount: 1, price: "1", tags: [] }) { ${fields} } }`;
  const limits = {
    tokens: 2_000,
    depth: 2,
    aliases: 1,
    rootFields: 2,
    fields: 3,
    models: 1,
    batch: 2,
    characters: 400,
  };
  await hosting({ limits, bodyLimit: 2_000 }, async ({ post, send }) => {
    const one = { query: '{ service }' };
    expect((await post([one, one])).status).toBe(200);
    expect((await post([one, one, one])).status).toBe(400);
    expect((await send('{ a: service }')).status).toBe(200);
    expect((await send('{ a: service b: service }')).status).toBe(400);
    expect((await send('{ service ... on Query { service } }')).status).toBe(200);
    expect((await send('{ service service service }')).status).toBe(400);
    expect((await send(counting('amount price'))).status).toBe(200);
    expect((await send(counting('amount price amount'))).status).toBe(400);
    expect((await send(`{ service } #${'x'.repeat(400)}`)).status).toBe(400);
    expect((await send(`{ service } #${'x'.repeat(2_000)}`)).status).toBe(413);
  });
});

it.each([
  { bodyLimit: 0 },
  { limits: { depth: 1.5 } },
  { limits: { tokens: Number.NaN } },
  { limits: { anonymous: { batch: 0 } } },
  { limits: { depth: 5, anonymous: { depth: 6 } } },
  { path: 'graphql' },
])('rejects invalid options: %j', (options) => {
  expect(() => graphQL(options)).toThrow(RangeError);
});

it('serves at another path and below a prefix', async () => {
  const handler = await fetchHandler(trialService(), { prefix: '/v1', graphql: graphQL({ path: '/api' }) });
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ service }"}' };
  const answer = await handler(new Request('http://localhost/v1/api', sent));
  expect(await answer.json()).toEqual({ data: { service: 'trial' } });
});

describe('a service with a mismatched schema', () => {
  const served = async (change: object): Promise<unknown> => {
    const service = trialService();
    Object.assign(service.registry, change);
    return await fetchHandler(service, { graphql: graphQL() }).then(
      () => 'served',
      (error: unknown) => (error instanceof ServiceError ? error.code : error),
    );
  };
  const { graphql } = trialService().registry;

  it('is rejected before it listens', async () => {
    expect(await served({ graphql: undefined })).toBe('SVC_NO_GRAPHQL_SCHEMA');
    expect(await served({ graphql: { ...graphql!, sdl: graphql!.sdl.replace('maybe(', 'other(') } })).toBe(
      'SVC_NO_GRAPHQL_SCHEMA',
    );
    expect(await served({ endpoints: [] })).toBe('SVC_NO_GRAPHQL_SCHEMA');
    expect(await served({})).toBe('served');
  });

  it('is valid for graphql-js', () => {
    expect(validate(buildSchema(graphql!.sdl), parse(mutation))).toEqual([]);
  });
});
