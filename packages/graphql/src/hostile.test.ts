/** Hostile requests: each is rejected quickly with a clear error, and the service continues. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { command, hosting, mutation, type Answer, type TrialHost } from './testing/host.js';

/** Generous for a busy machine: an unbounded request takes far longer, or ends the process. */
const bound = 10_000;

const deep = (levels: number): string =>
  `mutation { count(command: { amount: 1, price: "1", tags: [] }) ${'{ inner '.repeat(levels)}{ amount }${' }'.repeat(levels)} }`;
const aliases = (count: number): string =>
  `mutation ($command: CountInput!) { ${Array.from({ length: count }, (_, i) => `a${i}: count(command: $command) { amount }`).join(' ')} }`;
const repeated = (uses: number): string =>
  `mutation ($t: String!) { count(command: { amount: 1, price: 1, tags: [${'$t '.repeat(uses)}] }) { amount } }`;
const nestedArrays = '['.repeat(100_000) + ']'.repeat(100_000);
const isWritable = (json: string): boolean => {
  try {
    return JSON.stringify(JSON.parse(json)) === json;
  } catch {
    return false;
  }
};
const spreads = (levels: number, [one, other]: readonly [string, string]): string =>
  [
    'mutation ($command: CountInput!) { count(command: $command) { ...F0 } }',
    ...Array.from(
      { length: levels },
      (_, i) => `fragment F${i} on Counted { ${one} { ...F${i + 1} } ${other} { ...F${i + 1} } }`,
    ),
    `fragment F${levels} on Counted { amount }`,
  ].join('\n');

const attacks: readonly (readonly [
  name: string,
  attack: (host: TrialHost) => Promise<Answer>,
  status: number,
  code: string,
])[] = [
  ['10,000 aliases', ({ send }) => send(aliases(10_000), { command }), 400, 'LIMIT_EXCEEDED'],
  ['21 aliases, few tokens', ({ send }) => send(aliases(21), { command }), 400, 'LIMIT_EXCEEDED'],
  [
    'aliases in fragments that double',
    ({ send }) => send(spreads(13, ['a: inner', 'b: inner']), { command }),
    400,
    'LIMIT_EXCEEDED',
  ],
  [
    'fields in fragments that double',
    ({ send }) => send(spreads(13, ['inner', 'other']), { command }),
    400,
    'LIMIT_EXCEEDED',
  ],
  ['a depth of 1,000', ({ send }) => send(deep(1_000)), 400, 'LIMIT_EXCEEDED'],
  ['a depth of 16, few tokens', ({ send }) => send(deep(14)), 400, 'LIMIT_EXCEEDED'],
  ['1 MB of tokens', ({ send }) => send(`{ ${'a '.repeat(500_000)} }`), 400, 'LIMIT_EXCEEDED'],
  ['15 kB of tokens', ({ send }) => send(`{ ${'a '.repeat(7_500)} }`), 400, 'LIMIT_EXCEEDED'],
  [
    '15 kB of opening brackets',
    ({ send }) => send(`{ count(command: ${'['.repeat(15_000)} ) }`),
    400,
    'LIMIT_EXCEEDED',
  ],
  ['a thousand fields at once', ({ send }) => send(`{ ${'service '.repeat(990)} }`), 400, 'LIMIT_EXCEEDED'],
  [
    'fields at once in fragments that double',
    ({ send }) =>
      send(
        `{ ...F0 } ${Array.from({ length: 30 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`).join(' ')} fragment F30 on Query { service }`,
      ),
    400,
    'LIMIT_EXCEEDED',
  ],
  [
    '900 fields that must be compared',
    ({ send }) => send(`mutation { count(command: {}) { ${'amount '.repeat(900)} } }`),
    400,
    'GRAPHQL_VALIDATION_FAILED',
  ],
  [
    '900 unknown fields',
    ({ send }) =>
      send(`mutation { count(command: {}) { ${Array.from({ length: 900 }, (_, i) => `x${i}`).join(' ')} } }`),
    400,
    'GRAPHQL_VALIDATION_FAILED',
  ],
  [
    'a fragment that contains itself',
    ({ send }) => send('{ ...A } fragment A on Query { ...A }'),
    400,
    'GRAPHQL_VALIDATION_FAILED',
  ],
  [
    'an introspection of types, their fields, and the fields of those, twenty times',
    ({ send }) =>
      send(
        `{ __schema { ${Array.from({ length: 20 }, (_, i) => `a${i}: types { fields { type { ...T ofType { ...T } } } }`).join(' ')} } }
         fragment T on __Type { fields { name description args { name description } } }`,
      ),
    400,
    'LIMIT_EXCEEDED',
  ],
  [
    'a document as a tree',
    ({ send }) => send(JSON.stringify({ kind: 'Document', definitions: [] })),
    400,
    'GRAPHQL_PARSE_FAILED',
  ],
  [
    'a batch of 1,000',
    ({ post }) => post(Array.from({ length: 1_000 }, () => ({ query: mutation, variables: { command } }))),
    400,
    'LIMIT_EXCEEDED',
  ],
  [
    'a body of 2 MiB',
    ({ send }) => send(mutation, { command: { ...command, tags: ['x'.repeat(2 ** 21)] } }),
    413,
    'CONTENT_TOO_LARGE',
  ],
  [
    'a variable of 1 MB that 480 places use',
    ({ send }) => send(repeated(480), { t: Array.from({ length: 300_000 }, () => []) }),
    400,
    'LIMIT_EXCEEDED',
  ],
  [
    'a text of 100 kB that 480 places use',
    ({ send }) => send(repeated(480), { t: 'x'.repeat(100_000) }),
    400,
    'LIMIT_EXCEEDED',
  ],
  [
    'a command of 100 kB that 20 aliases use',
    ({ send }) => send(aliases(20), { command: { ...command, tags: ['x'.repeat(100_000)] } }),
    400,
    'LIMIT_EXCEEDED',
  ],
  [
    'a variable that is nested 100,000 deep and used twice',
    ({ post }) => post(`{"query":"${repeated(2)}","variables":{"t":${nestedArrays}}}`),
    // Where Node can copy the value, it goes to the reader. That of the trial service accepts every tag.
    ...(isWritable(nestedArrays) ? ([200, ''] as const) : ([400, 'LIMIT_EXCEEDED'] as const)),
  ],
  [
    'a command that is nested 100,000 deep under an Idempotency-Key',
    ({ post }) =>
      post(
        `{"query":${JSON.stringify(mutation)},"variables":{"command":{"tags":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`,
        { 'content-type': 'application/json', 'idempotency-key': 'deep' },
      ),
    200,
    'INVALID_REQUEST',
  ],
  [
    '__proto__ among the variables',
    ({ post }) => post(`{"query":${JSON.stringify(mutation)},"variables":{"__proto__":{"amount":1}}}`),
    400,
    'INVALID_REQUEST',
  ],
  [
    '__proto__ in a variable',
    ({ post }) => post(`{"query":${JSON.stringify(mutation)},"variables":{"command":{"__proto__":{"amount":1}}}}`),
    400,
    'INVALID_REQUEST',
  ],
  [
    '__proto__ in disguise',
    ({ post }) =>
      post(`{"query":${JSON.stringify(mutation)},"variables":{"command":{"\\u005f_proto__":{"amount":1}}}}`),
    400,
    'INVALID_REQUEST',
  ],
  [
    'constructor in a variable',
    ({ send }) => send(mutation, { command: { ...command, constructor: { prototype: { amount: 1 } } } }),
    400,
    'INVALID_REQUEST',
  ],
  [
    'JSON that is nested 400,000 deep',
    ({ post }) => post(`{"query":"{service}","variables":{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}}`),
    200,
    '',
  ],
  [
    'poisoned JSON that is nested 100,000 deep',
    ({ post }) =>
      post(`{"query":"{service}","variables":{"a":${'['.repeat(100_000)}{"constructor":1}${']'.repeat(100_000)}}}`),
    400,
    'INVALID_REQUEST',
  ],
  [
    '100 poisoned keys below 240,000 arrays',
    ({ post }) =>
      post(
        `{"query":"{service}","variables":{"a":${'['.repeat(240_000)}${Array(100).fill('{"constructor":1}').join(',')}${']'.repeat(240_000)}}}`,
      ),
    400,
    'INVALID_REQUEST',
  ],
  [
    '100 halves of surrogate pairs below 240,000 arrays',
    ({ post }) =>
      post(
        String.raw`{"query":"{service}","variables":{"a":${'['.repeat(240_000)}${Array(100)
          .fill(String.raw`"\ud800"`)
          .join(',')}${']'.repeat(240_000)}}}`,
      ),
    400,
    'INVALID_REQUEST',
  ],
];

let host: TrialHost;
let finish: () => void;
let served: Promise<void>;

beforeAll(async () => {
  await new Promise<void>((ready) => {
    served = hosting({}, async (started) => {
      host = started;
      // Compiling and loading code for the first time does not count.
      await host.send(mutation, { command });
      ready();
      await new Promise<void>((end) => (finish = end));
    });
  });
});
afterAll(async () => {
  finish();
  await served;
});

it.each(attacks)('%s', async (_name, attack, status, code) => {
  const started = performance.now();
  const answer = await attack(host);
  expect(performance.now() - started).toBeLessThan(bound);
  expect(answer.status).toBe(status);
  expect(answer.body.errors?.[0]?.extensions.code ?? '').toBe(code);
  expect(JSON.stringify(answer.body)).not.toMatch(/\bat .*\.(?:js|ts):\d+|node_modules/);
  expect(JSON.stringify(answer.body).length).toBeLessThan(20_000);
  expect(host.errors).toEqual([]);
  expect(({} as { amount?: number }).amount).toBeUndefined();
  expect(await host.send(mutation, { command })).toMatchObject({
    status: 200,
    body: { data: { count: { amount: 2 } } },
  });
});

it('rejects a thousand different documents in bounded time and memory', async () => {
  await hosting({}, async ({ send }) => {
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 1_000; i++) {
      const { status } = await send(`{ service } #${i}${'x'.repeat(19_000)}`);
      expect(status).toBe(200);
    }
    await delay(10);
    // 1,000 texts of 19 kB would be 19 MB, and twice that when parsed.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(150 * 2 ** 20);
  });
});
