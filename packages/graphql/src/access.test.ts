/** Callers over GraphQL are authenticated as over REST; each mutation authorizes them. */
import { createHash } from 'node:crypto';
import {
  AccessDenied,
  AuthenticationUnavailableError,
  commandEndpoint,
  createService,
  currentSecurityContext,
  InMemoryStorage,
  permission,
  runAsHost,
  SystemEventStream,
  UnauthenticatedError,
  type Authenticator,
  type Service,
} from '@svc/core';
import type { Issues } from '@svc/core/json';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command, hosting, mutation, type Answer, type TrialHost } from './testing/host.js';
import { Count, trialService } from './testing/trial-service.js';

/** Authenticates `clerk` and `guest` by the keys of these names. */
const keys: Authenticator = {
  scheme: 'Key',
  header: 'x-key',
  credentialIn: (headers) => headers('x-key') ?? null,
  authenticate: (key) => {
    if (key === 'later') return Promise.reject(new AuthenticationUnavailableError());
    if (key !== 'clerk' && key !== 'guest') return Promise.reject(new UnauthenticatedError('The key is not valid.'));
    const permissions = new Set(key === 'clerk' ? [permission('counts:write')] : []);
    return Promise.resolve({ context: { scope: { userId: key }, roles: new Set(), permissions, source: 'key' } });
  },
};

class Guarded extends Count {}
class Anonymous extends Count {}
commandEndpoint<Guarded, unknown>({ graphQLMutation: 'count', requires: 'counts:write' })(Guarded);
commandEndpoint<Anonymous, unknown>({ graphQLMutation: 'maybe', allowAnonymous: true })(Anonymous);

let host: TrialHost;
let service: Service;
let finish: () => void;
let served: Promise<void>;

beforeAll(async () => {
  const plain = trialService().registry;
  const commands = [Guarded, Anonymous, Count];
  service = createService({
    ...plain,
    messages: commands.map((type) => ({ ...plain.messages[0]!, type: `trial.${type.name}`, class: type })),
    receptors: commands.map((type) => ({
      name: `${type.name}Receptor`,
      command: type,
      create: () => ({
        receive: ({ price }: Count) => ({ amount: currentSecurityContext()?.source.length ?? -1, price }),
      }),
    })),
    endpoints: plain.endpoints.map((endpoint, i) =>
      Object.assign({}, endpoint, {
        command: commands[i]!,
        readRequest: (value: unknown, issues: Issues) =>
          Object.assign(new commands[i]!(), endpoint.readRequest(value, issues)),
      }),
    ),
  })
    .useStorage(new InMemoryStorage())
    .addSystemEvents()
    .addAuthentication(keys);
  const ready = new Promise<void>((resolve) => {
    served = hosting({ service }, async (started) => {
      host = started;
      resolve();
      await new Promise<void>((end) => (finish = end));
    });
  });
  await ready;
});
afterAll(async () => {
  finish();
  await served;
  await service.stop();
});

const as = (key: string | null, query: string, variables: unknown = { command }): Promise<Answer> =>
  host.post({ query, variables }, { 'content-type': 'application/json', ...(key !== null && { 'x-key': key }) });
const maybe = 'mutation ($command: CountInput!) { maybe(command: $command) { amount price } }';

describe('a mutation that requires a permission', () => {
  it('runs as the caller that has it', async () => {
    const { status, body } = await as('clerk', mutation);
    expect([status, body]).toEqual([200, { data: { count: { amount: 'key'.length, price: '3.50' } } }]);
  });

  it('is forbidden for a caller who may not act for another tenant', async () => {
    const send = (tenant: string): Promise<Answer> =>
      host.post(
        { query: mutation, variables: { command } },
        { 'content-type': 'application/json', 'x-key': 'clerk', 'svc-tenant': tenant },
      );
    const [denied, invalid] = [await send('acme'), await send('ü')];
    expect([denied.status, denied.body.errors?.[0]?.extensions.code]).toEqual([403, 'FORBIDDEN']);
    expect([invalid.status, invalid.body.errors?.[0]?.extensions.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it('is forbidden for a caller without it, and emits AccessDenied', async () => {
    const { status, body } = await as('guest', mutation);
    expect([status, body.data, body.errors?.[0]?.extensions.code]).toEqual([200, null, 'FORBIDDEN']);
    await service.idle();
    const denied: AccessDenied[] = [];
    const events = runAsHost(() => service.eventStore.readStream(SystemEventStream.streamId));
    for await (const { envelope } of events) {
      if (envelope.payload instanceof AccessDenied) denied.push(envelope.payload);
    }
    expect(denied.filter(({ resourceType }) => resourceType === 'command')).toEqual([
      expect.objectContaining({
        resourceId: 'trial.Guarded',
        requiredPermission: 'counts:write',
        scope: { userId: 'guest' },
      }),
    ]);
  });

  it('rejects an unauthenticated caller before it reads the argument', async () => {
    const { status, body } = await as(null, mutation, { command: { ...command, price: 'much' } });
    expect([status, body.data, body.errors?.[0]?.extensions.code]).toEqual([200, null, 'UNAUTHENTICATED']);
    expect(body.errors?.[0]?.extensions['errors']).toBeUndefined();
  });
});

it('a mutation without a required permission needs an authenticated caller', async () => {
  const anything = 'mutation ($command: CountInput!) { anything(command: $command) }';
  expect((await as('guest', anything)).body.errors).toBeUndefined();
  expect((await as(null, anything)).body.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
});

it('a mutation with allowAnonymous runs without a caller, not as the host', async () => {
  expect((await as(null, maybe)).body.data).toEqual({ maybe: { amount: 'anonymous'.length, price: '3.50' } });
});

it('an invalid credential is a 401 with a challenge for every operation', async () => {
  const { status, headers, body } = await as('wrong', maybe);
  expect([status, body.errors?.[0]?.extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
  expect(headers.get('www-authenticate')).toBe('Key header="x-key"');
  expect(JSON.stringify(body)).not.toContain('wrong');
});

it('an invalid credential is a 401 for a query by GET too, and the page of the explorer needs none', async () => {
  const get = (headers: Record<string, string>) => fetch(`${host.url}/graphql?query={service}`, { headers });
  expect((await get({ 'x-key': 'wrong' })).status).toBe(401);
  expect((await get({ 'x-key': 'guest' })).status).toBe(200);
  const page = await get({ 'x-key': 'wrong', accept: 'text/html' });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
});

it('a credential that cannot be checked is a 503 with Retry-After', async () => {
  const { status, headers, body } = await as('later', maybe);
  expect([status, body.errors?.[0]?.extensions.code]).toEqual([503, 'UNAVAILABLE']);
  expect(headers.get('retry-after')).toBe('5');
});

describe('the documents of callers without a credential', () => {
  it('are not registered under their hash', async () => {
    const query = 'query Anonymous { service }';
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    const codeOf = async (headers: Record<string, string>, body: object): Promise<string | undefined> =>
      (await host.post(body, { 'content-type': 'application/json', ...headers })).body.errors?.[0]?.extensions.code;
    expect(await codeOf({}, { query, extensions })).toBeUndefined();
    expect(await codeOf({}, { extensions })).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect(await codeOf({ 'x-key': 'guest' }, { query, extensions })).toBeUndefined();
    expect(await codeOf({}, { extensions })).toBeUndefined();
  });

  const aliases = (count: number): string =>
    `mutation ($command: CountInput!) { ${Array.from({ length: count }, (_, i) => `a${i}: maybe(command: $command) { amount }`).join(' ')} }`;

  it('have smaller limits than those of other callers', async () => {
    expect((await as(null, aliases(5))).body.errors).toBeUndefined();
    const { status, body } = await as(null, aliases(6));
    expect([status, body.errors?.[0]?.extensions.code]).toEqual([400, 'LIMIT_EXCEEDED']);
    expect((await as('guest', aliases(6))).status).toBe(200);
    // Also after the document was prepared for a caller with larger limits.
    expect((await as(null, aliases(6))).status).toBe(400);
  });

  it('may be two in a batch', async () => {
    const batch = (count: number, headers = {}): Promise<Answer> =>
      host.post(
        Array.from({ length: count }, () => ({ query: '{ service }' })),
        { 'content-type': 'application/json', ...headers },
      );
    expect((await batch(2)).status).toBe(200);
    expect((await batch(3)).body.errors?.[0]?.message).toBe('The batch has 3 operations; at most 2 are allowed.');
    expect((await batch(3, { 'x-key': 'guest' })).status).toBe(200);
  });

  it.each([
    ['graphql-js', getIntrospectionQuery()],
    ['GraphiQL', getIntrospectionQuery({ schemaDescription: true, inputValueDeprecation: true, oneOf: true })],
  ])('may be the introspection of %s', async (_name, query) => {
    expect((await as(null, query, undefined)).status).toBe(200);
  });

  it('can have configured limits', async () => {
    const limits = { anonymous: { aliases: 1 } };
    await hosting({ service, limits }, async ({ post }) => {
      const body = { query: aliases(2), variables: { command } };
      expect((await post(body)).body.errors?.[0]?.message).toBe(
        'The operation renames 2 fields; at most 1 are allowed.',
      );
    });
  });

  it('have the general limits if they are persisted', async () => {
    const persistedOperations = { operations: { many: aliases(20) } };
    await hosting({ service, persistedOperations }, async ({ post }) => {
      expect((await post({ documentId: 'many', variables: { command } })).status).toBe(200);
    });
  });
});

describe('a service without operations for anonymous callers', () => {
  /** The same service, without the mutation for anonymous callers. */
  const closed = (): Service => {
    const { registry } = service;
    const endpoints = registry.endpoints.filter(({ command: type }) => type !== Anonymous);
    const sdl = registry.graphql!.sdl.replace(/^ *maybe.*$/m, '');
    return createService({ ...registry, endpoints, graphql: { ...registry.graphql!, sdl } })
      .useStorage(new InMemoryStorage())
      .addAuthentication(keys);
  };

  it.each([
    ['a document', JSON.stringify({ query: '{ service }' })],
    ['an introspection', JSON.stringify({ query: getIntrospectionQuery() })],
    ['something that is not JSON', '{'],
  ])('%s is a 401 before it is parsed', async (_name, body) => {
    await hosting({ service: closed() }, async ({ post }) => {
      const answer = await post(body);
      expect([answer.status, answer.body.errors?.[0]?.extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
      expect(answer.headers.get('www-authenticate')).toBe('Key header="x-key"');
    });
  });

  it('serves callers with a credential', async () => {
    await hosting({ service: closed() }, async ({ post }) => {
      const headers = { 'content-type': 'application/json', 'x-key': 'guest' };
      expect((await post({ query: '{ service }' }, headers)).body.data).toEqual({ service: 'trial' });
    });
  });
});
