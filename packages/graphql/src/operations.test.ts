/** What a document can contain, with the same result whether it is executed directly or compiled. */
import { describe, expect, it } from 'vitest';
import type { Count } from './testing/trial-service.js';
import { command, hosting, mutation, type Answer } from './testing/host.js';

/** Sends the same request three times: executed directly, while it is compiled, and compiled. */
async function thrice(send: () => Promise<Answer>): Promise<Answer> {
  const answers = [await send(), await send(), await send()];
  const [first, ...others] = answers.map(({ status, body }) => withoutTraces({ status, body }));
  for (const other of others) expect(other).toEqual(first);
  return answers[0]!;
}

function withoutTraces(value: object): unknown {
  return JSON.parse(JSON.stringify(value).replace(/"traceId":"\w+"/g, '"traceId":"…"'));
}

describe('an argument', () => {
  const literal = '{ amount: 2, price: "3.50", tags: ["a"] }';

  it.each([
    ['in a variable', mutation, { command }],
    ['written out', `mutation { count(command: ${literal}) { amount price } }`, {}],
    [
      'written out with variables in it',
      'mutation ($amount: SafeInt!, $tag: String!) { count(command: { amount: $amount, price: "3.50", tags: [$tag] }) { amount price } }',
      { amount: 2, tag: 'a' },
    ],
    [
      'as the default of a variable',
      `mutation ($c: CountInput = ${literal}) { count(command: $c) { amount price } }`,
      {},
    ],
    ['in a fragment', `mutation { ...F } fragment F on Mutation { count(command: ${literal}) { amount price } }`, {}],
    ['with one item for a list', mutation, { command: { ...command, tags: 'a' } }],
    [
      'with a number for a decimal',
      'mutation { count(command: { amount: 2, price: 3.50, tags: ["a"] }) { amount price } }',
      {},
    ],
  ])('is read %s', async (_name, query, variables) => {
    const received: Count[] = [];
    const receive = (count: Count): unknown => (received.push(count), count);
    await hosting({ receive }, async ({ send }) => {
      const { status, body } = await thrice(() => send(query, variables));
      expect({ status, body }).toEqual({ status: 200, body: { data: { count: { amount: 2, price: '3.50' } } } });
      expect(received.map((count) => count.tags)).toEqual([['a'], ['a'], ['a']]);
    });
  });

  it('preserves every digit of a decimal literal', async () => {
    const price = '0.1234567890123456789012345678901234567890';
    await hosting({}, async ({ send }) => {
      const { body } = await send(`mutation { count(command: { amount: 1, price: ${price}, tags: [] }) { price } }`);
      expect(body.data).toEqual({ count: { price } });
    });
  });

  it.each([
    ['with more than 1,000 digits', '9'.repeat(1_001), 'must have at most 1000 characters'],
    ['as a text of more than 1,000 characters', `"${'9'.repeat(1_001)}"`, 'must have at most 1000 characters'],
    ['with an exponent', '1e2000', 'must be a decimal number, as a string such as "12.50"'],
  ])('rejects a decimal literal %s', async (_name, price, detail) => {
    await hosting({}, async ({ send }) => {
      const { body } = await send(`mutation { count(command: { amount: 1, price: ${price}, tags: [] }) { price } }`);
      expect(body.errors?.[0]?.extensions['errors']).toEqual([{ pointer: '/price', detail }]);
    });
  });

  it.each([
    [
      'a variable',
      `{"query":${JSON.stringify(mutation)},"variables":{"command":{"amount":1,"price":0.1234567890123456789,"tags":[]}}}`,
    ],
    [
      'a batch',
      `[{"query":${JSON.stringify(mutation)},"variables":{"command":{"amount":1,"price":0.1234567890123456789,"tags":[]}}}]`,
    ],
  ])('is rejected if a number in %s has too many digits', async (_name, text) => {
    await hosting({}, async ({ post }) => {
      const { body } = await post(text);
      const [answer] = Array.isArray(body) ? (body as Answer['body'][]) : [body];
      expect(answer?.errors?.[0]?.extensions['errors']).toEqual([
        { pointer: '/price', detail: 'has more digits than a JSON number can carry; send it as a string' },
      ]);
    });
  });

  it.each(['9007199254740993', '-9007199254740993'])(
    'is rejected if a double cannot represent the integer %s',
    async (amount) => {
      await hosting({}, async ({ send }) => {
        const { body } = await send(
          `mutation { count(command: { amount: ${amount}, price: "1", tags: [] }) { amount } }`,
        );
        expect(body.errors?.[0]?.extensions['errors']).toMatchObject([{ pointer: '/amount' }]);
      });
    },
  );

  it('is copied if two mutations share a variable', async () => {
    const query = 'mutation ($c: CountInput!) { a: count(command: $c) { amount } b: maybe(command: $c) { amount } }';
    await hosting({}, async ({ send }) => {
      const { body } = await thrice(() => send(query, { c: command }));
      expect(body).toEqual({ data: { a: { amount: 2 }, b: { amount: 2 } } });
    });
  });

  it.each([
    [{}, 'Variable "$command" of required type "CountInput!" was not provided.'],
    [{ command: null }, 'Variable "$command" of non-null type "CountInput!" must not be null.'],
  ])('that is missing rejects the request: %j', async (variables, message) => {
    await hosting({}, async ({ send }) => {
      const { status, body } = await thrice(() => send(mutation, variables));
      expect({ status, body }).toEqual({
        status: 400,
        body: { errors: [{ message, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
      });
    });
  });

  it('that is missing within a literal rejects the request', async () => {
    const query = 'mutation ($n: SafeInt!) { count(command: { amount: $n, price: "1", tags: [] }) { amount } }';
    await hosting({}, async ({ send }) => {
      const { status, body } = await thrice(() => send(query, {}));
      expect(status).toBe(400);
      expect(body.errors?.[0]?.message).toBe('Variable "$n" of required type "SafeInt!" was not provided.');
    });
  });
});

describe('several mutations in one operation', () => {
  const fails = ({ amount }: Count): unknown => {
    if (amount === 0) throw new Error('zero');
    ran.push(amount);
    return { amount, price: '1' };
  };
  let ran: number[] = [];
  const of = (field: string, amounts: readonly number[]): string =>
    `mutation { ${amounts.map((amount, i) => `m${i}: ${field}(command: { amount: ${amount}, price: "1", tags: [] }) { amount }`).join(' ')} }`;

  it('run one after the other', async () => {
    ran = [];
    await hosting({ receive: fails }, async ({ send }) => {
      const { body } = await send(of('count', [3, 1, 2]));
      expect(body.data).toEqual({ m0: { amount: 3 }, m1: { amount: 1 }, m2: { amount: 2 } });
      expect(ran).toEqual([3, 1, 2]);
    });
  });

  it('stop at the first failure of a non-null mutation', async () => {
    await hosting({ receive: fails }, async ({ send }) => {
      const { body } = await thrice(() => ((ran = []), send(of('count', [1, 0, 2]))));
      expect(body.data).toBeNull();
      expect(body.errors?.map(({ path }) => path)).toEqual([['m1']]);
      expect(ran).toEqual([1]);
    });
  });

  it('do not run a later nullable mutation either', async () => {
    const query = `mutation {
      a: count(command: { amount: 0, price: "1", tags: [] }) { amount }
      b: maybe(command: { amount: 2, price: "1", tags: [] }) { amount }
    }`;
    await hosting({ receive: fails }, async ({ send }) => {
      const { body } = await thrice(() => ((ran = []), send(query)));
      expect(body.data).toBeNull();
      expect(body.errors?.map(({ path }) => path)).toEqual([['a']]);
      expect(ran).toEqual([]);
    });
  });

  it('continue after the failure of a nullable mutation', async () => {
    await hosting({ receive: fails }, async ({ send }) => {
      const { body } = await thrice(() => ((ran = []), send(of('maybe', [1, 0, 2]))));
      expect(body.data).toEqual({ m0: { amount: 1 }, m1: null, m2: { amount: 2 } });
      expect(body.errors?.map(({ path }) => path)).toEqual([['m1']]);
      expect(ran).toEqual([1, 2]);
    });
  });
});

it('executes the named operation, also if another one of the same document ran before', async () => {
  const document = 'query A { a: service } query B { b: service }';
  await hosting({}, async ({ send }) => {
    for (const name of ['A', 'B', 'A', 'B', 'B', 'A']) {
      const { body } = await send(document, undefined, { operationName: name });
      expect(body).toEqual({ data: { [name.toLowerCase()]: 'trial' } });
    }
    expect((await send(document)).status).toBe(400);
    expect((await send(document, undefined, { operationName: 'C' })).status).toBe(400);
  });
});
