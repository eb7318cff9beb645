import { buildSchema, executeSync, getIntrospectionQuery, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { RequestError } from '../errors/index.js';
import { IntrospectionLimit, introspectionSize } from './introspection-size.js';

const schema = buildSchema(`
  "Everything that can be asked for."
  schema { query: Query mutation: Mutation }
  type Query { order(id: ID!, afterEvent: ID, waitSeconds: Int = 5): Order orders(page: Int = 1, filter: OrderFilter): [Order!]! }
  type Mutation { place(command: PlaceInput!): Order! cancel(command: CancelInput!): Order! }
  "An order as customers see it.\\n\\"Quoted\\", on two lines."
  type Order { id: ID! status: Status! items: [Item!]! related: [Order!]! old: String @deprecated(reason: "Use status.") }
  type Item { name: String! price: Decimal! order: Order! }
  enum Status { open paid sent @deprecated }
  input OrderFilter { status: Status, text: String = "all" }
  input PlaceInput { items: [ItemInput!]! }
  input ItemInput { name: String! price: Decimal! }
  input CancelInput @oneOf { order: ID item: ID }
  union Found = Order | Item
  "A number that is exact."
  scalar Decimal @specifiedBy(url: "https://example.com/decimal")
`);

const all = { specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true, inputValueDeprecation: true };

/** What tools send: graphql-js by itself, GraphiQL, and graphql-codegen. */
const ofTools: readonly (readonly [name: string, text: string])[] = [
  ['graphql-js', getIntrospectionQuery()],
  ['graphql-js without descriptions', getIntrospectionQuery({ descriptions: false })],
  ['GraphiQL', getIntrospectionQuery({ ...all, oneOf: true })],
  ['graphql-codegen', getIntrospectionQuery({ ...all, descriptions: true })],
  ['deep types', getIntrospectionQuery({ ...all, oneOf: true, typeDepth: 15 })],
];

const aliased = (field: string): string => Array.from({ length: 20 }, (_, i) => `a${i}: ${field}`).join(' ');
const fields = 'fields(includeDeprecated: true)';

const greedy: readonly (readonly [name: string, text: string])[] = [
  [
    'the types twenty times',
    `{ __schema { ${aliased('types { ...T }')} } } fragment T on __Type { name description ${fields} { name description type { name ofType { name } } } }`,
  ],
  [
    'the types of fields of types, and their fields',
    `{ __schema { types { ${aliased(`${fields} { type { ...T ofType { ...T ofType { ...T ofType { ...T } } } } }`)} } } }
     fragment T on __Type { ${fields} { name description args { name description } } }`,
  ],
];

const ofOneType: readonly (readonly [name: string, text: string])[] = [
  ['a type', '{ __type(name: "Order") { kind name description possibleTypes { name } enumValues { name } } }'],
  ['a type that does not exist', '{ __type(name: "Nothing") { interfaces { interfaces { name } } } }'],
  [
    'a type twenty times, by a variable',
    `query ($name: String!) { ${aliased(`__type(name: $name) { ${fields} { args { type { name ofType { name } } } type { ofType { ${fields} { name type { kind name } } } } } }`)} }`,
  ],
];

const small: readonly (readonly [name: string, text: string])[] = [
  ['one field', '{ __schema { queryType { name } } }'],
  ['names of types', '{ __typename __schema { __typename types { __typename } } }'],
];

function sizeOf(text: string): { readonly counted: number; readonly real: number } {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const longest = Object.keys(schema.getTypeMap()).map((name) => {
    const { data } = executeSync({ schema, document, variableValues: { name } });
    return JSON.stringify(data).length;
  });
  return { counted: introspectionSize(schema, document), real: Math.max(...longest) };
}

describe('the size of an introspection result', () => {
  it.each([...ofTools, ...greedy, ...ofOneType, ...small])('is estimated, and never too low: %s', (_name, text) => {
    const { counted, real } = sizeOf(text);
    expect(counted).toBeGreaterThanOrEqual(real - '{}'.length);
    expect(counted).toBeLessThan(2 * real + 500);
  });

  it('does not include other fields', () => {
    expect(introspectionSize(schema, parse('{ orders { id } __typename }'))).toBe(0);
  });
});

describe('the limit of introspections', () => {
  const limit = new IntrospectionLimit(schema);

  it.each([...ofTools, ...ofOneType])('allows the query of %s', (_name, text) => {
    expect(() => limit.check(parse(text))).not.toThrow();
  });

  it.each(greedy)('rejects %s', (_name, text) => {
    expect(() => limit.check(parse(text))).toThrow(RequestError);
  });
});
