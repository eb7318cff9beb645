/** A model that is read over REST and over GraphQL is one model, seen by the same callers. */
import { AccessDenied, newId, runAsHost, SystemEventStream } from '@svc/core';
import { pageBounds } from '@svc/core/hosting';
import { buildSchema, type GraphQLOutputType, type GraphQLSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { subscribe } from '../live/subscription-client.js';
import { serveLetters, type Letters } from './letters.js';
import { wholeAnswer, wholeSelection } from './whole-answers.js';

let letters: Letters;
let schema: GraphQLSchema;
const first = letter({});
const others = [
  letter({ stamp: { kind: 'none' }, note: 'short', code: 'x', days: {}, maybe: 'yes' }),
  letter({ stamp: { kind: 'by-hand', numbers: [newId()], until: null }, toString: 'own', extra: null }),
  letter({ stamp: { kind: 'by-hand', numbers: [], until: '2026-02-02T00:00:00.000Z' }, tags: [], pages: [] }),
];
const gone = letter({ maybe: 'gone' });

beforeAll(async () => {
  letters = await serveLetters();
  schema = buildSchema(letters.service.registry.graphql!.sdl);
  for (const one of [first, ...others, gone]) {
    const { status, body } = await send('/write', 'clerk', { letter: one });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
  await letters.service.idle();
});
afterAll(() => letters?.stop());

function letter(change: object): Record<string, unknown> & { id: string } {
  return {
    id: newId(),
    weight: '12.345678901234567890123',
    sent: '2026-01-31T12:00:00.000Z',
    count: 9_007_199_254_740_991,
    small: 3,
    ratio: 0.5,
    fragile: true,
    speed: 'fast',
    state: 'in-transit',
    level: 2,
    wait: 'PT1.5S',
    tags: ['a', 'b'],
    sizes: [1, 2.5],
    days: { monday: '2026-02-02T00:00:00.000Z' },
    code: [1, 2],
    extra: { any: ['thing', null] },
    maybe: null,
    stamp: { kind: 'paid', sum: '7.00' },
    pages: [{ text: 'A', notes: [{ text: 'B', notes: [], back: { text: 'C', notes: [] } }] }],
    ...change,
  };
}

interface Sent {
  readonly status: number;
  readonly body: unknown;
}

async function send(path: string, caller: string | null, body?: unknown): Promise<Sent> {
  const response = await fetch(letters.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/graphql-response+json, application/json',
      ...(caller !== null && { authorization: caller }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

interface Answer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { message: string; path?: unknown; extensions: Record<string, unknown> }[];
}

async function ask(query: string, caller: string | null = 'reader', variables = {}): Promise<Answer> {
  return (await send('/graphql', caller, { query, variables })).body as Answer;
}

/** The data of the first result of a subscription. */
async function firstOf(query: string): Promise<Record<string, unknown>> {
  const subscriber = subscribe({ urls: [letters.url], query, headers: { authorization: 'reader' } });
  await expect.poll(() => subscriber.isEnded || subscriber.results.length > 0).toBe(true);
  subscriber.close();
  expect(subscriber.codes).toEqual([]);
  return subscriber.results[0]!.data!;
}

function typeOf(query: string): GraphQLOutputType {
  return schema.getQueryType()!.getFields()[query]!.type;
}

describe('models are the same over both', () => {
  it.each([
    ['with every kind of type', 'letter', '/letters'],
    ['distinguished by a tag', 'stamp', '/stamps'],
    ['that GraphQL has no type for', 'day', '/days'],
    ['without a name', 'count', '/counts'],
  ])('%s: one by one, twice', async (_what, query, route) => {
    const text = `query ($id: ID!) { ${query}(id: $id) ${wholeSelection(typeOf(query))} }`;
    for (const { id } of [first, ...others, first]) {
      const { body } = await send(`${route}/${id}`, 'reader');
      const { data, errors } = await ask(text, 'reader', { id });
      expect(errors).toBeUndefined();
      expect(data![query]).toEqual(wholeAnswer(body, data![query], typeOf(query)));
    }
  });

  it.each([
    ['letters', '/letters'],
    ['stamps', '/stamps'],
    ['days', '/days'],
    ['counts', '/counts'],
  ])('%s: page by page', async (query, route) => {
    for (const [args, search] of [
      ['', ''],
      ['(page: 1, pageSize: 3)', '?page=1&pageSize=3'],
      ['(page: 2, pageSize: 3)', '?page=2&pageSize=3'],
      ['(page: 9)', '?page=9'],
      ['(page: null, pageSize: null, filter: null, after: null)', ''],
    ] as const) {
      const { body } = await send(`${route}${search}`, 'reader');
      const { data, errors } = await ask(`{ ${query}${args} ${wholeSelection(typeOf(query))} }`);
      expect(errors).toBeUndefined();
      expect(data![query]).toEqual(wholeAnswer(body, data![query], typeOf(query)));
    }
  });

  it.each([
    ['letter', 'letters', '/letters'],
    ['stamp', 'stamps', '/stamps'],
    ['day', 'days', '/days'],
    ['count', 'counts', '/counts'],
  ])('%s and %s: in subscriptions, several times', async (one, many, route) => {
    const selection = wholeSelection(typeOf(one));
    const { body } = await send(route, 'reader');
    const { items } = body as { items: unknown[] };
    // A document that repeats is compiled.
    for (let i = 0; i < 3; i++) {
      const list = await firstOf(`subscription { ${many} { keys changed { key model ${selection} } } }`);
      const { keys, changed } = list[many] as { keys: string[]; changed: { key: string; model: unknown }[] };
      expect(changed.map(({ key }) => key)).toEqual(keys);
      expect(changed.map(({ model }) => model)).toEqual(
        items.map((item, at) => wholeAnswer(item, changed[at]!.model, typeOf(one))),
      );
      const model = await firstOf(`subscription { ${one}(id: "${keys[i]}") ${selection} }`);
      expect(model[one]).toEqual(changed[i]!.model);
    }
  });

  it('as literals and in variables, also together with introspection', async () => {
    const { data } = await ask(
      `query ($size: Int) { byText: letter(id: "${first.id}") { id } page: letters(pageSize: $size) { items { stamp { ... on StampPaid { sum } } days } hasMore } __schema { queryType { name } } }`,
      'reader',
      { size: 1 },
    );
    expect(data).toEqual({
      byText: { id: first.id },
      page: { items: [{ stamp: { sum: '7.00' }, days: first['days'] }], hasMore: true },
      __schema: { queryType: { name: 'Query' } },
    });
  });
});

describe('lists are filtered and sorted as over REST', () => {
  it.each([
    ['sort: "-weight"', 'sort=-weight'],
    ['filter: { maybe: { eq: "yes" } }', 'filter[maybe]=yes'],
    [
      'filter: { weight: { gte: "12.3", lt: "13" }, fragile: { eq: true } }, sort: "sent"',
      'filter[weight][gte]=12.3&filter[weight][lt]=13&filter[fragile]=true&sort=sent',
    ],
    [
      'filter: { count: { gt: 5 }, ratio: { lte: 0.5 }, speed: { in: ["fast", "slow"] } }',
      'filter[count][gt]=5&filter[ratio][lte]=0.5&filter[speed][in]=fast&filter[speed][in]=slow',
    ],
    ['filter: { sent: { lt: "2026-01-01T00:00:00Z" } }', 'filter[sent][lt]=2026-01-01T00:00:00Z'],
    [`filter: { key: { eq: "${first.id}" } }`, `filter[key]=${first.id}`],
  ])('%s', async (args, search) => {
    const { status, body } = await send(`/letters?${search}`, 'reader');
    expect(status).toBe(200);
    const { data, errors } = await ask(`{ letters(${args}) ${wholeSelection(typeOf('letters'))} }`);
    expect(errors).toBeUndefined();
    expect(data!['letters']).toEqual(wholeAnswer(body, data!['letters'], typeOf('letters')));
  });

  it('page by page, to the last one, with filters in variables', async () => {
    const query =
      'query ($after: String, $filter: LettersFilter, $like: String) { letters(pageSize: 1, after: $after, sort: "-key", filter: $filter) { items { id } page next hasMore } more: letters(filter: { speed: { eq: $like } }) { items { id } } }';
    const found: string[] = [];
    let after: string | null = null;
    do {
      const filter = { speed: { eq: 'fast' } };
      const { data } = await ask(query, 'reader', { after, filter, like: 'fast' });
      const page = data!['letters'] as { items: { id: string }[]; page: number | null; next: string | null };
      expect(page.page).toBe(after === null ? 1 : null);
      expect((data!['more'] as { items: unknown[] }).items).toHaveLength(4);
      found.push(...page.items.map(({ id }) => id));
      after = page.next;
    } while (after !== null);
    expect(found).toEqual(
      [first, ...others]
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
  });

  it.each([
    ['another order', '{ letters(sort: "pages") { hasMore } }', {}, '/sort'],
    ['a page and a place', '{ letters(page: 1, after: "x") { hasMore } }', {}, '/page', '/after'],
    ['a place of nowhere', '{ letters(after: "x") { hasMore } }', {}, '/after'],
    [
      'a property that is not indexed',
      'query ($f: LettersFilter) { letters(filter: $f) { hasMore } }',
      { f: { pages: { eq: 1 } } },
      '/filter/pages/eq',
    ],
    [
      'an operator that is not known',
      'query ($f: LettersFilter) { letters(filter: $f) { hasMore } }',
      { f: { speed: { $ne: 1 } } },
      '/filter/speed/$ne',
    ],
    [
      'a value that is an object',
      'query ($f: LettersFilter) { letters(filter: $f) { hasMore } }',
      { f: { speed: { eq: { a: 1 } } } },
      '/filter/speed/eq',
    ],
    [
      'a condition that is a text',
      'query ($f: LettersFilter) { letters(filter: $f) { hasMore } }',
      { f: { speed: 'fast' } },
      '/filter/speed',
    ],
    ['a filter that is a list', 'query ($f: LettersFilter) { letters(filter: $f) { hasMore } }', { f: [] }, '/filter'],
  ])('reject %s', async (_what, query, variables, ...pointers) => {
    const { errors } = await ask(query, 'reader', variables);
    expect(errors?.map(({ extensions }) => extensions)).toEqual([
      {
        code: 'INVALID_REQUEST',
        traceId: expect.any(String) as string,
        errors: pointers.map((pointer) => expect.objectContaining({ pointer }) as object),
      },
    ]);
  });
});

it('returns null for a model that does not exist', async () => {
  for (const id of [gone.id, newId(), 'x', '']) {
    expect(await ask('query ($id: ID!) { letter(id: $id) { id } }', 'reader', { id })).toEqual({
      data: { letter: null },
    });
  }
});

it.each(['page: 0', 'page: -1', 'page: 10001', 'pageSize: 0', 'pageSize: 101', 'page: 0, pageSize: 2147483647'])(
  'rejects %s as REST does',
  async (args) => {
    const { data, errors } = await ask(`{ letters(${args}) { hasMore } }`);
    const { body } = await send(`/letters?${args.replaceAll(': ', '=').replaceAll(', ', '&')}`, 'reader');
    expect(data).toEqual({ letters: null });
    expect(errors).toEqual([
      {
        message: 'The request is not valid; see errors.',
        path: ['letters'],
        extensions: {
          code: 'INVALID_REQUEST',
          traceId: expect.any(String) as string,
          errors: (body as { errors: unknown }).errors,
        },
      },
    ]);
  },
);

it('names the limits', () => {
  const [page, pageSize] = schema.getQueryType()!.getFields()['letters']!.args;
  expect(page!.description).toBe(`The page, from 1 to ${pageBounds.page.most}. Default: ${pageBounds.page.usual}.`);
  expect(pageSize!.defaultValue).toBe(pageBounds.pageSize.usual);
  expect(pageSize!.description).toContain(`to ${pageBounds.pageSize.most}.`);
});

describe('access to models', () => {
  const query = `{ secret(id: "${first.id}") { id } secrets { items { id } } }`;

  it('is the same as over REST: models of another tenant do not exist', async () => {
    const all = [first, ...others, gone].map(({ id }) => ({ id })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect((await ask(query, 'reader')).data).toEqual({ secret: { id: first.id }, secrets: { items: all } });
    expect(await ask(query, 'stranger')).toEqual({ data: { secret: null, secrets: { items: [] } } });
  });

  it.each([
    ['clerk', 'FORBIDDEN', 403],
    ['homeless', 'FORBIDDEN', 403],
    [null, 'UNAUTHENTICATED', 401],
  ] as const)('%s receives %s, together with the models that it may see', async (caller, code, status) => {
    const { data, errors } = await ask(`{ secrets { items { id } } onlyHere { hasMore } }`, caller);
    expect(data).toEqual({ secrets: null, onlyHere: { hasMore: false } });
    const { status: rest, body } = await send('/secrets', caller);
    expect(rest).toBe(status);
    expect(errors?.map(({ message, extensions }) => [message, extensions['code']])).toEqual([
      [(body as { detail: string }).detail, code],
    ]);
  });

  it('is recorded in the system stream when it is denied', async () => {
    const denied = async (): Promise<number> => {
      await letters.service.idle();
      let count = 0;
      const events = runAsHost(() => letters.service.eventStore.readStream(SystemEventStream.streamId));
      for await (const { envelope } of events) if (envelope.payload instanceof AccessDenied) count++;
      return count;
    };
    const before = await denied();
    // Once for each resource: the model and the list. The list was denied to this caller before.
    for (let i = 0; i < 2; i++) await ask(query, 'clerk');
    expect((await denied()) - before).toBe(1);
  });

  it('is rejected for an invalid credential before anything is read', async () => {
    expect((await send('/graphql', 'nobody', { query })).status).toBe(401);
  });
});

it('serves a perspective over a single transport if it is configured so', async () => {
  expect((await ask('{ onlyHere { items { id } } }', null)).data).toMatchObject({
    onlyHere: { items: expect.any(Array) as [] },
  });
  expect((await send('/only-there', 'reader')).status).toBe(200);
  const rejected = await ask('{ onlyThere { items { there } } }');
  expect(rejected.errors?.[0]?.extensions['code']).toBe('GRAPHQL_VALIDATION_FAILED');
  const paths = ((await send('/openapi.json', null)).body as { paths: object }).paths;
  expect(Object.keys(paths)).not.toContain('/');
  expect(JSON.stringify(paths)).not.toContain('OnlyHere');
});

describe('a malicious query', () => {
  const deep = (levels: number): string => `${'{ notes '.repeat(levels)}{ text }${' }'.repeat(levels)}`;
  const many = (count: number): string =>
    Array.from({ length: count }, (_, i) => `a${i}: letters { hasMore }`).join(' ');

  it.each([
    ['is too deep', `{ letters { items { pages ${deep(20)} } } }`],
    ['selects one field 21 times under aliases', `{ ${many(21)} }`],
    [
      'selects 21 fields in fragments',
      '{ ...A ...A ...A } fragment A on Query { ...B ...B } fragment B on Query { letters { hasMore } stamps { hasMore } days { hasMore } counts { hasMore } }',
    ],
  ])('%s', async (_what, query) => {
    const { status, body } = await send('/graphql', 'reader', { query });
    expect(status).toBe(400);
    expect((body as Answer).errors?.map(({ extensions }) => extensions['code'])).toEqual(['LIMIT_EXCEEDED']);
  });

  it.each([
    ['sends an object for an id', 'query ($id: ID!) { letter(id: $id) { id } }', { id: { $ne: null } }],
    ['sends null for an id', 'query ($id: ID!) { letter(id: $id) { id } }', { id: null }],
    ['sends no id', 'query ($id: ID!) { letter(id: $id) { id } }', {}],
    ['sends a text for a page', 'query ($page: Int) { letters(page: $page) { hasMore } }', { page: '1' }],
    ['sends a fraction for a page', 'query ($page: Int) { letters(page: $page) { hasMore } }', { page: 1.5 }],
    ['sends a page beyond 32 bits', 'query ($page: Int) { letters(page: $page) { hasMore } }', { page: 2 ** 40 }],
    ['uses an unknown argument', '{ letter(where: "1=1") { id } }', {}],
  ])('%s', async (_what, query, variables) => {
    const { status, body } = await send('/graphql', 'reader', { query, variables });
    expect(status).toBe(400);
    expect((body as Answer).data).toBeUndefined();
    expect((body as Answer).errors?.[0]?.extensions['code']).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it('with a long and strange id returns nothing', async () => {
    for (const id of ["'; DROP TABLE svc_events; --", '\u0000', '%2e%2e%2f', 'x'.repeat(100_000), '__proto__']) {
      expect(await ask('query ($id: ID!) { letter(id: $id) { id } }', 'reader', { id })).toEqual({
        data: { letter: null },
      });
    }
    expect(letters.errors).toEqual([]);
  });
});
