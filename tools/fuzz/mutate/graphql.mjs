/** Changes GraphQL requests: the document as text and as a structure, its variables, and batches of operations. */
import { mutatedJson } from './json.mjs';

const tokens = [
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ':',
  '!',
  '=',
  '|',
  '@',
  '$',
  '...',
  '"',
  '"""',
  '#',
  ',',
  '\0',
  '\ufeff',
  '&',
  '-',
  '1e9',
  'null',
  'true',
  'on',
  'fragment F on',
  'query',
  'mutation',
  'subscription',
  '__typename',
  '__schema { types { name } }',
  '@skip(if: true)',
  '@include(if: $x)',
  '@deprecated',
  '$v0',
  'é',
  '\ud83d\ude00',
];

const introspections = [
  '{ __schema { types { name fields { name type { name ofType { name } } } } } }',
  '{ __type(name: "OrderSummary") { name fields(includeDeprecated: true) { name } } }',
  '{ __typename __schema { directives { name args { name } } } }',
  `{ __schema { types ${'{ fields { type { ofType '.repeat(6)}{ name }${' } } }'.repeat(6)} } }`,
  `{ __schema { queryType ${'{ fields { type { fields { type '.repeat(5)}{ name }${' } } } }'.repeat(5)} } }`,
];

const ways = [
  [6, (json, random) => ({ ...json, query: withToken(json.query, random) })],
  [3, (json, random) => ({ ...json, query: json.query.slice(0, random.below(json.query.length)) })],
  [2, (json, random) => ({ ...json, query: shuffled(json.query, random) })],
  [3, (json, random) => ({ ...json, query: deepDocument(json.query, random) })],
  [3, (json, random) => ({ ...json, query: manyAliases(json.query, random) })],
  [
    2,
    (json) => ({
      ...json,
      query: `${spread(json.query, 'A')} fragment A on Query { ...B } fragment B on Query { ...A }`,
    }),
  ],
  [1, (json, random) => ({ ...json, query: fragmentBomb(random) })],
  [
    2,
    (json, random) => ({
      ...json,
      query: json.query.replace('{', `${'@skip(if: false) '.repeat(random.pick([1, 2, 200]))}{`),
    }),
  ],
  [2, (json, random) => ({ ...json, query: random.pick(introspections) })],
  [2, (json, random) => ({ ...json, operationName: random.pick(['Nope', '', '__proto__', 'Op1', null, 7]) })],
  [2, (json) => ({ ...json, query: `${json.query} ${json.query}` })],
  [
    2,
    (json, random) => ({
      ...json,
      query: json.query.replace(
        /\$v\d: [^,)]+/,
        (text) =>
          `${text.split(':')[0]}: ${random.pick(['Int', 'String!', '[UUID!]!', 'Nope', '[[[[Int]]]]', 'Boolean = 1'])}`,
      ),
    }),
  ],
  [1, (json, random) => ({ ...json, query: `"${'x'.repeat(random.pick([100, 25_000]))}"` })],
  [
    1,
    (json, random) => ({
      ...json,
      documentId: random.pick(['x', '', 7, '__proto__']),
      extensions: { persistedQuery: { version: 1, sha256Hash: random.hex(64) } },
    }),
  ],
  [1, (json, random) => ({ ...json, query: `{ ${'a '.repeat(random.pick([500, 2000]))}}` })],
  [
    1,
    (json, random) => ({
      ...json,
      query: json.query.replaceAll(/"[^"]*"/g, () => `"""${random.pick(['a\n b', '\\"""', '\\u{1F600}', ''])}"""`),
    }),
  ],
];

/** The changed body as JSON text. `makeBody` generates a further operation for a batch. */
export function mutatedGraphQL(json, random, makeBody) {
  if (random.chance(0.15)) return JSON.stringify(batchOf(json, random, makeBody));
  if (json.variables !== undefined && random.chance(0.3)) {
    return JSON.stringify(json).replace(
      /"variables":.*$/s,
      () => `"variables":${mutatedJson(json.variables, random)}}`,
    );
  }
  return JSON.stringify(random.weighted(ways)(json, random));
}

function batchOf(json, random, makeBody) {
  const length = random.pick([0, 1, 2, 3, 3, 3, 10, 11, 200]);
  if (length > 20) return Array.from({ length }, () => ({ query: '{ __typename }' }));
  const bodies = Array.from({ length }, () => (random.chance(0.8) ? makeBody() : random.weighted(ways)(json, random)));
  return random.chance(0.1) ? [...bodies, random.pick([null, 1, [], 'x'])] : bodies;
}

function withToken(query, random) {
  const at = random.below(query.length + 1);
  return `${query.slice(0, at)} ${random.pick(tokens)} ${query.slice(at + random.below(3))}`;
}

function shuffled(query, random) {
  const parts = query.split(' ');
  const [a, b] = [random.below(parts.length), random.below(parts.length)];
  return parts.with(a, parts[b]).with(b, parts[a]).join(' ');
}

function deepDocument(query, random) {
  const depth = random.pick([5, 15, 16, 300, 4000]);
  const inner = random.pick(['items', 'shippingAddress', '... on Query', 'a', '__typename']);
  return random.chance(0.5)
    ? `{ ${`${inner} { `.repeat(depth)}a${' }'.repeat(depth)} }`
    : query.replace(/: "[^"]*"/, () => `: ${'['.repeat(depth)}${']'.repeat(depth)}`);
}

function manyAliases(query, random) {
  const field = random.pick([
    '__typename',
    'orders { items { orderId } }',
    'order(id: "x") { status }',
    'customers(pageSize: 100) { items { orders } }',
  ]);
  return `{ ${Array.from({ length: random.pick([2, 19, 20, 21, 200]) }, (_, i) => `x${i}: ${field}`).join(' ')} }`;
}

function spread(query, name) {
  return query.replace('{', () => `{ ...${name} `);
}

/** Each fragment uses the next one twice: expanded, it has 2^n fields. */
function fragmentBomb(random) {
  const length = random.pick([5, 12, 30]);
  const fragments = Array.from(
    { length },
    (_, i) => `fragment B${i} on Query { ${i === length - 1 ? '__typename' : `...B${i + 1} ...B${i + 1}`} }`,
  );
  return `{ ...B0 a: __typename } ${fragments.join(' ')}`;
}
