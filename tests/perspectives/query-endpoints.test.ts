import {
  AccessDenied,
  newId,
  permission,
  perspective,
  ScopeFilters,
  type Authenticator,
  type Perspective,
  type SecurityContext,
  type Service,
} from '@svc/core';
import { runAs } from '@svc/core/hosting';
import { svc } from '@svc/fastify';
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { OrderPlaced, records } from '../system-events/shop.js';
import { described, place, shopWith } from './perspective-shop.js';

interface Note {
  note: string;
}

@perspective({ route: '/notes' })
class NotePerspective implements Perspective<Note, OrderPlaced> {
  apply(_model: Note | null, { note }: OrderPlaced): Note | null {
    return note === 'gone' ? null : { note };
  }
}

@perspective({ route: '/guarded', requires: 'orders:read', scope: ScopeFilters.Tenant })
class GuardedPerspective implements Perspective<Note, OrderPlaced> {
  apply(_model: Note | null, { note }: OrderPlaced): Note {
    return { note };
  }
}

const known: Record<string, SecurityContext> = {
  reader: caller({ tenantId: 'a' }, 'orders:read'),
  stranger: caller({ tenantId: 'b' }, 'orders:read'),
  clerk: caller({ tenantId: 'a' }),
  homeless: caller({ userId: 'x' }, 'orders:read'),
};

function caller(scope: SecurityContext['scope'], ...permissions: string[]): SecurityContext {
  return { scope, roles: new Set(), permissions: new Set(permissions.map(permission)), source: 'test' };
}

const byName: Authenticator = {
  scheme: 'Test',
  credentialIn: (headers) => headers('authorization') ?? null,
  authenticate: (credential) => Promise.resolve({ context: known[credential]! }),
};

let app: FastifyInstance;
let service: Service;
afterEach(() => app.close());

async function serve(made: Service): Promise<void> {
  service = made;
  app = Fastify();
  await app.register(svc(service));
}

const get = (url: string, authorization?: string): Promise<LightMyRequestResponse> =>
  app.inject({ method: 'GET', url, headers: authorization === undefined ? {} : { authorization } });

it('returns the model of an id, or a problem if it does not exist', async () => {
  await serve(shopWith([described(NotePerspective, [OrderPlaced])]));
  const orderId = await place(service, 'hello');
  const gone = await place(service, 'gone');
  await service.idle();
  const found = await get(`/notes/${orderId}`);
  expect([found.statusCode, found.headers['content-type'], found.json()]).toEqual([
    200,
    'application/json; charset=utf-8',
    { note: 'hello' },
  ]);
  for (const id of [newId(), gone, 'x', '%F0%9F%98%80', 'a%00b']) {
    const missing = await get(`/notes/${id}`);
    expect([missing.statusCode, missing.json<{ type: string }>().type]).toEqual([404, 'urn:svc:problem:not-found']);
  }
  expect((await app.inject({ method: 'DELETE', url: `/notes/${orderId}` })).headers['allow']).toBe('GET, HEAD');
});

it('returns pages of 10 models by default, and of at most 100', async () => {
  await serve(shopWith([described(NotePerspective, [OrderPlaced])]));
  for (let i = 0; i < 23; i++) await place(service, String(i));
  await service.idle();
  const page = async (query: string): Promise<unknown> => {
    const { items, next, ...rest } = (await get(`/notes${query}`)).json<{ items: Note[]; next: string | null }>();
    expect(typeof next).toBe((rest as { hasMore?: boolean }).hasMore === true ? 'string' : 'object');
    return [items.map(({ note }) => Number(note)), rest];
  };
  const upTo = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
  expect(await page('')).toEqual([upTo(0, 10), { page: 1, pageSize: 10, hasMore: true }]);
  expect(await page('?page=3')).toEqual([upTo(20, 23), { page: 3, pageSize: 10, hasMore: false }]);
  expect(await page('?pageSize=100')).toEqual([upTo(0, 23), { page: 1, pageSize: 100, hasMore: false }]);
  expect(await page('?page=9')).toEqual([[], { page: 9, pageSize: 10, hasMore: false }]);
});

it.each(['page=0', 'page=x', 'page=101', 'page=1.5', 'pageSize=101', 'pageSize=-1', 'page=1&page=2', 'size=5'])(
  'rejects ?%s and names it',
  async (query) => {
    await serve(shopWith([described(NotePerspective, [OrderPlaced])]));
    const answer = await get(`/notes?${query}`);
    const pointer = `/${query.slice(0, query.indexOf('='))}`;
    expect([answer.statusCode, answer.json<{ errors: { pointer: string }[] }>().errors[0]?.pointer]).toEqual([
      400,
      pointer,
    ]);
  },
);

it('rejects unknown parameters of a query for one model, after authentication', async () => {
  await serve(shopWith([described(NotePerspective, [OrderPlaced])]));
  const orderId = await place(service, 'hello');
  await service.idle();
  const answer = await get(`/notes/${orderId}?page=1&fields=note`);
  expect([answer.statusCode, answer.json<{ errors: object[] }>().errors]).toEqual([
    400,
    [
      { pointer: '/page', detail: 'is not a known parameter' },
      { pointer: '/fields', detail: 'is not a known parameter' },
    ],
  ]);
});

/** One model for each note, with the number in it. */
@perspective({ route: '/numbers', indexed: ['number', 'parity', 'price'], scope: ScopeFilters.Tenant })
class NumberPerspective implements Perspective<Numbered, OrderPlaced> {
  keyOf({ note }: OrderPlaced): string {
    return note;
  }

  apply(_model: Numbered | null, { note }: OrderPlaced): Numbered {
    const number = Number(note);
    return { number, parity: number % 2 === 0 ? 'even' : 'odd', price: `${number}.50` };
  }
}

interface Numbered {
  number: number;
  parity: 'even' | 'odd';
  price: string;
}

const numbers = {
  ...described(NumberPerspective, [OrderPlaced]),
  columns: [
    { name: 'number', type: 'integer' },
    { name: 'parity', type: 'text' },
    { name: 'price', type: 'decimal' },
  ],
} as const;

async function numbered(upTo: number): Promise<void> {
  await serve(shopWith([numbers]).addAuthentication(byName));
  await service.idle();
  for (let i = 0; i < upTo; i++) await runAs(known['reader']!, () => place(service, String(i)));
  await runAs(known['stranger']!, () => place(service, '1000'));
  await service.idle();
}

const numbersIn = async (query: string, who = 'reader'): Promise<{ found: number[]; next: string | null }> => {
  const answer = await get(`/numbers${query}`, who);
  expect(answer.statusCode).toBe(200);
  const { items, next } = answer.json<{ items: Numbered[]; next: string | null }>();
  return { found: items.map(({ number }) => number), next };
};

it.each([
  ['?filter[parity]=even&sort=-number', [10, 8, 6, 4, 2, 0]],
  ['?filter[number][gte]=3&filter[number][lt]=6&sort=number', [3, 4, 5]],
  ['?filter[number][in]=7&filter[number][in]=2&filter[number][in]=1000&sort=number', [2, 7]],
  ['?filter[price][gt]=8.5&sort=-price', [10, 9]],
  ['?filter[key]=4', [4]],
  ['?filter[parity]=neither', []],
])('filters and sorts by what is indexed: %s', async (query, expected) => {
  await numbered(11);
  expect((await numbersIn(query)).found).toEqual(expected);
});

it('continues after a page whatever was added before it, in the scope of the caller of the next page', async () => {
  await numbered(8);
  const first = await numbersIn('?sort=-number&pageSize=3');
  expect(first.found).toEqual([7, 6, 5]);
  await runAs(known['reader']!, () => place(service, '9'));
  await service.idle();
  const second = await numbersIn(`?sort=-number&pageSize=3&after=${first.next}`);
  expect(second.found).toEqual([4, 3, 2]);
  const last = await numbersIn(`?sort=-number&pageSize=3&after=${second.next}`);
  expect(last).toEqual({ found: [1, 0], next: null });
  // What it leads to depends on who uses it.
  expect((await numbersIn(`?sort=-number&after=${first.next}`, 'stranger')).found).toEqual([]);
});

it('rejects all invalid parameters at once, and names the valid ones', async () => {
  await numbered(3);
  const { next } = await numbersIn('?sort=number&pageSize=1');
  const pointersOf = async (query: string): Promise<unknown> => {
    const answer = await get(`/numbers${query}`, 'reader');
    return [answer.statusCode, answer.json<{ errors: { pointer: string }[] }>().errors.map(({ pointer }) => pointer)];
  };
  expect(await pointersOf('?filter[color]=red&filter[number]=x&filter[price][near]=1&sort=size')).toEqual([
    400,
    ['/filter[color]', '/filter[number]', '/filter[price][near]', '/sort'],
  ]);
  expect(await pointersOf('?filter[color]=red&foo=1&sort=size&page=0&afterEvent=x')).toEqual([
    400,
    ['/page', '/foo', '/afterEvent', '/filter[color]', '/sort'],
  ]);
  expect(await pointersOf('/1?foo=1&afterEvent=x')).toEqual([400, ['/foo', '/afterEvent']]);
  expect(await pointersOf('?filter[number]=1&filter[number]=2')).toEqual([400, ['/filter[number]']]);
  expect(await pointersOf('?filter[__proto__]=1')).toEqual([400, ['/filter[__proto__]']]);
  // A token is for the list it came from.
  for (const query of [`?sort=-number&after=${next}`, `?sort=number&filter[parity]=odd&after=${next}`]) {
    expect(await pointersOf(query)).toEqual([400, ['/after']]);
  }
  const forged = ['x', '!', next!.slice(2), Buffer.from('["a",1,"k"]').toString('base64url'), 'a'.repeat(5_000)];
  for (const after of forged) expect(await pointersOf(`?sort=number&after=${after}`)).toEqual([400, ['/after']]);
  expect(await pointersOf(`?sort=number&page=2&after=${next}`)).toEqual([400, ['/page']]);
});

it('describes its parameters in OpenAPI', async () => {
  await numbered(0);
  const { paths } = (await app.inject('/openapi.json')).json<{
    paths: Record<string, { get: { parameters: { name: string; schema: object }[] } }>;
  }>();
  const parameters = new Map(paths['/numbers']!.get.parameters.map(({ name, schema }) => [name, schema]));
  expect(parameters.get('sort')).toMatchObject({ enum: expect.arrayContaining(['key', '-price']) as string[] });
  expect(parameters.get('filter[number][gte]')).toEqual({ type: 'integer' });
  expect([...parameters.keys()]).toContain('filter[parity][in]');
});

it('accepts the same queries in code, with the types of the model', async () => {
  await numbered(8);
  const lens = service.lens(NumberPerspective);
  await runAs(known['reader']!, async () => {
    const found = await lens.list({ where: { parity: 'even', number: { gt: 1 } }, sort: '-number' });
    expect(found.map(({ number }) => number)).toEqual([6, 4, 2]);
    const { items, next } = await lens.page({ sort: 'price', limit: 2 });
    expect(items.map(({ price }) => price)).toEqual(['0.50', '1.50']);
    expect((await lens.list({ sort: 'price', limit: 1, after: next! }))[0]?.price).toBe('2.50');
    expect(await lens.count()).toBe(8);
    expect(await lens.count({ where: { parity: 'even', number: { gt: 1 } } })).toBe(3);
    // @ts-expect-error -- there is no such property
    await expect(lens.list({ where: { color: 'red' } })).rejects.toMatchObject({ code: 'SVC_NOT_INDEXED' });
    await expect(lens.list({ sort: 'price', after: 'x' })).rejects.toMatchObject({ code: 'SVC_INVALID_VALUE' });
    // @ts-expect-error -- a perspective is indexed by properties of its model
    perspective({ indexed: ['color'] })(NumberPerspective);
    perspective({ route: '/numbers', indexed: ['number'], scope: ScopeFilters.Tenant })(NumberPerspective);
  });
});

it('returns up to 1,000 models at once in code, which is more than a page over REST', async () => {
  await numbered(120);
  const lens = service.lens(NumberPerspective);
  expect(await runAs(known['reader']!, () => lens.list({ limit: 1_000 }))).toHaveLength(120);
  expect((await get('/numbers?pageSize=1000', 'reader')).statusCode).toBe(400);
});

it('shows callers the models in their scope, and rejects other callers', async () => {
  await serve(shopWith([described(GuardedPerspective, [OrderPlaced])]).addAuthentication(byName));
  await service.idle();
  // Whoever wakes the worker: what it reads does not depend on what they may read.
  const orderId = await runAs(known['clerk']!, () => place(service, 'of a'));
  const unowned = await place(service, 'without an owner');
  await service.idle();
  const seen = async (name: string): Promise<unknown> => {
    const list = await get('/guarded', name);
    return [(await get(`/guarded/${orderId}`, name)).statusCode, list.json<{ items?: Note[] }>().items?.length];
  };
  expect(await seen('reader')).toEqual([200, 1]);
  expect(await seen('stranger')).toEqual([404, 0]);
  expect((await get(`/guarded/${unowned}`, 'reader')).statusCode).toBe(404);
  expect(await seen('clerk')).toEqual([403, undefined]);
  // A scope without the value is an error, and never no filter.
  expect(await seen('homeless')).toEqual([403, undefined]);
  expect((await get('/guarded')).statusCode).toBe(401);
  const lens = service.lens(GuardedPerspective);
  const counted = await runAs(known['reader']!, () => Promise.all([lens.count(), lens.of({ tenantId: 'b' }).count()]));
  expect(counted).toEqual([1, 0]);
  await expect(runAs(known['homeless']!, () => lens.count())).rejects.toMatchObject({ code: 'SVC_ACCESS_DENIED' });
  await service.idle();
  const denied = await records(service, AccessDenied);
  expect(denied.map(({ reason, resourceType }) => [reason, resourceType])).toEqual([
    ...Array.from({ length: 2 }, () => ['InsufficientPermission', 'GuardedPerspective']),
    ...Array.from({ length: 2 }, () => ['ScopeViolation', 'GuardedPerspective']),
  ]);
});

it('does not start if a perspective requires a caller and no authentication is configured', () => {
  app = Fastify();
  const open = (): Service => shopWith([described(GuardedPerspective, [OrderPlaced])]);
  expect(() => open().start()).toThrow(expect.objectContaining({ code: 'SVC_AUTHENTICATION_MISSING' }));
});

it('shows every model to every caller if the service allows callers that are not authenticated', async () => {
  await serve(shopWith([described(GuardedPerspective, [OrderPlaced])]).allowEverybody());
  await place(service, 'a');
  await service.idle();
  const answer = await get('/guarded');
  expect([answer.statusCode, answer.json<{ items: Note[] }>().items]).toEqual([200, [{ note: 'a' }]]);
});

it.each([{ route: 'orders' }, { route: '/a/:id' }, { route: '/a/' }, { route: '/a', allowAnonymous: true, scope: 1 }])(
  'rejects %o',
  (options) => {
    app = Fastify();
    expect(() => perspective(options)(class {})).toThrow(expect.objectContaining({ code: 'SVC_INVALID_VALUE' }));
  },
);
