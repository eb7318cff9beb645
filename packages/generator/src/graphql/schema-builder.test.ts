import { buildSchema, validateSchema } from 'graphql';
import { afterAll, describe, expect, it } from 'vitest';
import { imports, ServiceFixture } from '../analysis/testing/service-fixture.js';
import { graphQLSchema } from './schema-builder.js';
import { printSchema } from './sdl.js';

const fixture = new ServiceFixture({});
afterAll(() => fixture[Symbol.dispose]());

/** The schema of a program, validated by graphql itself. */
function schemaOf(source: string): string {
  fixture.replaceSources({ 'src/orders.ts': imports + source });
  const { model, diagnostics } = fixture.analyze();
  expect(diagnostics).toEqual([]);
  const text = printSchema(graphQLSchema(model)!.schema);
  expect(validateSchema(buildSchema(text))).toEqual([]);
  return text;
}

/** The definition of one type. */
function typeIn(schema: string, name: string): string {
  const [found = ''] = new RegExp(`^(?:type|input|enum|union) ${name}\\b[^]*?(?=\\n\\n|\\n$)`, 'm').exec(schema) ?? [];
  return found;
}

/** A command with one property, and its field in the schema. */
function inputField(property: string, more = ''): string {
  const schema = schemaOf(
    `${more}\n@commandEndpoint<Do, void>({ graphQLMutation: 'do' })\nexport class Do implements Command { ${property} }`,
  );
  return typeIn(schema, 'DoInput').split('\n').slice(1, -1).join('\n').trim();
}

function outputField(property: string, more = ''): string {
  const schema = schemaOf(
    `${more}\nexport interface Done { ${property} }\n@commandEndpoint<Do, Done>({ graphQLMutation: 'do' })\nexport class Do implements Command { a!: string }`,
  );
  return typeIn(schema, 'Done').split('\n').slice(1, -1).join('\n').trim();
}

describe('a type', () => {
  it.each([
    ['string', 'String!'],
    ['string & MinLength<1>', 'String!'],
    ["string & Format<'email'>", 'String!'],
    ['Uuid', 'UUID!'],
    ["string & Format<'uuid'>", 'UUID!'],
    ['Decimal & Min<0>', 'Decimal!'],
    ['Date', 'DateTime!'],
    ["string & Format<'date-time'>", 'DateTime!'],
    ["string & Format<'duration'>", 'Duration!'],
    ['boolean', 'Boolean!'],
    ['number', 'Float!'],
    ['Int', 'SafeInt!'],
    ['Int & Min<1>', 'SafeInt!'],
    ['Int & Min<1> & Max<100>', 'Int!'],
    ['Int & Min<0> & Max<2147483648>', 'SafeInt!'],
    ['unknown', 'JSON'],
    ['string[]', '[String!]!'],
    ['(string | null)[]', '[String]!'],
    ['string[] | null', '[String!]'],
    ['Set<Uuid>', '[UUID!]!'],
    ['string[][]', '[[String!]!]!'],
    ['[string, number]', 'JSON!'],
    ['Record<string, Date>', 'JSON!'],
    ['string | number', 'JSON!'],
    ['string | number | null', 'JSON'],
    ['1 | 2', 'Int!'],
    ['1.5 | 2', 'Float!'],
    ['true', 'Boolean!'],
    ["'only'", 'String!'],
    ["'in-stock' | 'gone'", 'String!'],
    ["'true' | 'b'", 'String!'],
    ["'a' | 1", 'JSON!'],
  ])('%s is %s as input and output', (type, expected) => {
    expect(inputField(`a!: ${type};`)).toMatch(new RegExp(`a: ${escaped(expected)}$`));
    expect(outputField(`a: ${type};`)).toMatch(new RegExp(`a: ${escaped(expected)}$`));
  });

  it('is an enum for two or more names', () => {
    const schema = schemaOf(`
      export type Colour = 'red' | 'green';
      @commandEndpoint<Do, { colour: Colour, size: 'S' | 'M' }>({ graphQLMutation: 'do' })
      export class Do implements Command { colour!: Colour; size!: 'L' | 'XL' }`);
    expect(typeIn(schema, 'Colour')).toBe('enum Colour {\n  green\n  red\n}');
    expect(typeIn(schema, 'DoInput')).toBe('input DoInput {\n  colour: Colour!\n  size: DoSize!\n}');
    expect(typeIn(schema, 'DoResult')).toBe('type DoResult {\n  colour: Colour!\n  size: DoResultSize!\n}');
  });
});

describe('nullability', () => {
  it.each([
    ['a!: string;', 'a: String!'],
    ['a?: string;', 'a: String'],
    ['a = "x";', 'a: String'],
    ['a!: string | null;', 'a: String'],
    ['a?: string | null;', 'a: String'],
  ])('of an input: %s is %s', (property, expected) => expect(inputField(property)).toBe(expected));

  it.each([
    ['a: string;', 'a: String!'],
    ['a?: string;', 'a: String'],
    ['a: string | null;', 'a: String'],
    ['a?: string[];', 'a: [String!]'],
  ])('of an output: %s is %s', (property, expected) => expect(outputField(property)).toBe(expected));

  it.each([
    ['OrderCreated', 'OrderCreated!'],
    ['OrderCreated | null', 'OrderCreated'],
    ['OrderCreated[]', '[OrderCreated!]!'],
    ['Uuid', 'UUID!'],
    ['void', 'Void'],
  ])('of a result: %s is %s', (result, expected) => {
    const schema = schemaOf(
      `export interface OrderCreated { id: Uuid }\n@commandEndpoint<Do, ${result}>({ graphQLMutation: 'do' })\nexport class Do implements Command { a!: string }`,
    );
    expect(typeIn(schema, 'Mutation')).toContain(`do(command: DoInput!): ${expected}\n`);
  });
});

const payment = `
  export interface Card { kind: 'card'; number: string }
  export interface Cash { kind: 'cash' }
  /** How it is paid. */
  export type Payment = Card | Cash | { kind: 'on-account'; customer: Uuid };`;

describe('a tagged union', () => {
  it('is a @oneOf input whose arms need no tag', () => {
    const schema = schemaOf(
      `${payment}\n@commandEndpoint<Do, void>({ graphQLMutation: 'do' })\nexport class Do implements Command { payment!: Payment }`,
    );
    expect(schema).toContain('"""How it is paid."""\ninput PaymentInput @oneOf {');
    expect(typeIn(schema, 'PaymentInput')).toBe(
      'input PaymentInput @oneOf {\n  card: CardInput\n  cash: CashInput\n  onAccount: PaymentOnAccountInput\n}',
    );
    expect(typeIn(schema, 'CardInput')).toBe('input CardInput {\n  number: String!\n}');
    expect(typeIn(schema, 'PaymentOnAccountInput')).toBe('input PaymentOnAccountInput {\n  customer: UUID!\n}');
  });

  it('is a union as a result', () => {
    const schema = schemaOf(
      `${payment}\n@commandEndpoint<Do, Payment>({ graphQLMutation: 'do' })\nexport class Do implements Command { a!: string }`,
    );
    expect(typeIn(schema, 'Payment')).toBe('union Payment = Card | Cash | PaymentOnAccount');
    expect(typeIn(schema, 'Card')).toContain('  """Always "card"."""\n  kind: String!\n  number: String!');
  });

  it('requires the tag where an arm is also used by itself', () => {
    const schema = schemaOf(
      `${payment}\n@commandEndpoint<Do, void>({ graphQLMutation: 'do' })\nexport class Do implements Command { payment!: Payment; card!: Card }`,
    );
    expect(typeIn(schema, 'CardInput')).toContain('  kind: String\n');
  });
});

describe('names', () => {
  it('follow the path of an anonymous type', () => {
    const schema = schemaOf(
      `@commandEndpoint<Do, { a: { b: string }[] }>({ graphQLMutation: 'do' })\nexport class Do implements Command { a!: { b: { c: string } }[] }`,
    );
    expect(typeIn(schema, 'DoAInput')).toBe('input DoAInput {\n  b: DoABInput!\n}');
    expect(typeIn(schema, 'DoResultA')).toBe('type DoResultA {\n  b: String!\n}');
  });

  it('are those of a generic type with its arguments', () => {
    const schema = schemaOf(
      `export interface Page<T> { items: T[] }\nexport interface Item { a: string }\n@commandEndpoint<Do, Page<Item>>({ graphQLMutation: 'do' })\nexport class Do implements Command { a!: string }`,
    );
    expect(typeIn(schema, 'PageOfItem')).toBe('type PageOfItem {\n  items: [Item!]!\n}');
  });
});

it('calls the argument request when the command has a request type', () => {
  const schema = schemaOf(`
    import * as generated from './generated/do.endpoint.js';
    export class DoRequest { text!: string }
    @commandEndpoint<Do, void>({ graphQLMutation: 'do', requestType: DoRequest })
    export class Do implements Command { a!: string }
    export class DoEndpoint extends generated.DoEndpoint {
      protected override mapRequestToCommand(): Do { return new Do(); }
    }`);
  expect(typeIn(schema, 'Mutation')).toContain('do(request: DoRequestInput!): Void');
  expect(typeIn(schema, 'DoInput')).toBe('');
});

it('takes descriptions from doc comments with any content', () => {
  const schema = schemaOf(
    '/** Says """hello""" to `you` and\n * goes on \\ here */\n@commandEndpoint<Do, void>({ graphQLMutation: "do" })\nexport class Do implements Command {\n  /** It ends with "quotes" */\n  a!: string }',
  );
  const { description } = buildSchema(schema).getMutationType()!.getFields()['do']!;
  expect(description).toContain('Says """hello""" to `you`');
  expect(schema).toContain('It ends with "quotes"');
});

it('gives a command without properties a placeholder field', () => {
  const schema = schemaOf(
    `@commandEndpoint<Do, {}>({ graphQLMutation: 'do' })\nexport class Do implements Command {}`.replace(
      '{}>',
      'void>',
    ),
  );
  expect(typeIn(schema, 'DoInput')).toContain('  _: Boolean\n');
});

it('supports types that contain themselves', () => {
  const schema = schemaOf(`
    export interface Node { value: string; children: Node[]; parent?: Node }
    export type Tree = Tree[];
    @commandEndpoint<Do, Node>({ graphQLMutation: 'do' })
    export class Do implements Command { node!: Node; tree!: Tree }`);
  expect(typeIn(schema, 'NodeInput')).toBe(
    'input NodeInput {\n  value: String!\n  children: [NodeInput!]!\n  parent: NodeInput\n}',
  );
  expect(typeIn(schema, 'DoInput')).toMatch(/tree: \[.*JSON.*\]!/);
});

it('omits commands without a mutation', () => {
  const schema = schemaOf(`
    @commandEndpoint<Do, void>({ graphQLMutation: 'do' })
    export class Do implements Command { a!: string }
    @commandEndpoint<Other, void>({ restRoute: '/other' })
    export class Other implements Command { b!: string }`);
  expect(schema).not.toContain('Other');
});

describe('queries', () => {
  const placed = 'export class OrderPlaced implements Event { a!: string }\n';
  const view = (name: string, model: string, options: string): string =>
    `@perspective(${options})\nexport class ${name} implements Perspective<${model}, OrderPlaced> { apply(): never { throw 1; } }\n`;

  it('replace the placeholder query and need no mutation', () => {
    const schema = schemaOf(
      `${placed}
      export interface Order { id: Uuid; total: Decimal | null;
        /** In words. */
        note?: string; lines: { name: string }[] }
      /** What is known of an order. */
      ${view('Orders', 'Order', "{ graphQLQuery: 'order', graphQLListQuery: 'orders' }")}`,
    );
    expect(schema).not.toContain('Mutation');
    expect(typeIn(schema, 'Query')).toBe(`type Query {
  """What is known of an order."""
  order(
    id: ID!
    """Wait until this event is processed: the Svc-Last-Event of a command."""
    afterEvent: ID
    """How long to wait for afterEvent, at most 30."""
    waitSeconds: Int = 5
  ): Order
  """What is known of an order."""
  orders(
    """The page, from 1 to 100. Default: 1."""
    page: Int
    """Models per page, from 1 to 100."""
    pageSize: Int = 10
    """Instead of page: next of the previous page of the same list."""
    after: String
    """One of key; prefix it with - for descending order."""
    sort: String = "key"
    filter: OrdersFilter
    """Wait until this event is processed: the Svc-Last-Event of a command."""
    afterEvent: ID
    """How long to wait for afterEvent, at most 30."""
    waitSeconds: Int = 5
  ): OrderPage
}`);
    expect(typeIn(schema, 'OrderPage')).toBe(`type OrderPage {
  items: [Order!]!
  """Null with after."""
  page: Int
  pageSize: Int!
  """Whether there is another page."""
  hasMore: Boolean!
  """The value of after for the next page."""
  next: String
}`);
    expect(typeIn(schema, 'Subscription')).toBe(`type Subscription {
  """What is known of an order."""
  order(
    id: ID!
    """Wait until this event is processed: the Svc-Last-Event of a command."""
    afterEvent: ID
    """How long to wait for afterEvent, at most 30."""
    waitSeconds: Int = 5
  ): Order
  """What is known of an order."""
  orders(
    """Models per page, from 1 to 100."""
    pageSize: Int = 10
    """One of key; prefix it with - for descending order."""
    sort: String = "key"
    filter: OrdersFilter
    """After a reconnect: the last place that was received. Only what has changed since is sent."""
    since: String
    """Wait until this event is processed: the Svc-Last-Event of a command."""
    afterEvent: ID
    """How long to wait for afterEvent, at most 30."""
    waitSeconds: Int = 5
  ): OrderLiveList
}`);
    expect(typeIn(schema, 'OrderLiveModel')).toBe('type OrderLiveModel {\n  key: ID!\n  model: Order!\n}');
    expect(typeIn(schema, 'Order')).toContain('  total: Decimal\n  """In words."""\n  note: String\n');
    expect(typeIn(schema, 'Order')).toContain('  lines: [OrderLines!]!\n');
  });

  it('filter and sort by indexed properties', () => {
    const schema = schemaOf(
      `${placed}export interface Order { total: Decimal | null; at: Date; open: boolean; pieces: Int; status: 'a' | 'b' }
      ${view('OrdersPerspective', 'Order', "{ graphQLListQuery: 'orders', indexed: ['total', 'at', 'open', 'pieces', 'status'] }")}`,
    );
    expect(schema).toContain('One of key, total, at, open, pieces, status; prefix it with - for descending order');
    expect(typeIn(schema, 'OrdersFilter')).toBe(`input OrdersFilter {
  key: StringCondition
  total: DecimalCondition
  at: DateTimeCondition
  open: BooleanCondition
  pieces: SafeIntCondition
  status: StringCondition
}`);
    expect(typeIn(schema, 'DecimalCondition')).toContain('  gte: Decimal\n');
    expect(typeIn(schema, 'DecimalCondition')).toContain('  in: [Decimal!]\n');
  });

  it('share the type of a mutation and the page of another perspective', () => {
    const schema = schemaOf(
      `${placed}export interface Order { id: Uuid }\n${view('A', 'Order', "{ graphQLListQuery: 'as' }")}${view('B', 'Order', "{ graphQLListQuery: 'bs' }")}
      @commandEndpoint<Do, Order>({ graphQLMutation: 'do' })\nexport class Do implements Command { a!: string }`,
    );
    expect(schema).toContain('do(command: DoInput!): Order!');
    expect(schema.match(/^type OrderPage /gm)).toHaveLength(1);
    expect(schema.match(/^type OrderLive(?:List|Model) /gm)).toHaveLength(2);
    expect(schema.match(/^type Order /gm)).toHaveLength(1);
  });

  it('have anonymous models, tagged unions, and models that are JSON', () => {
    const both = (name: string): string => `{ graphQLQuery: '${name}', graphQLListQuery: '${name}s' }`;
    const schema = schemaOf(
      `${placed}export type State = { is: 'open' } | { is: 'paid'; at: Date };
      ${view('Named', 'State', both('state'))}${view('Unnamed', '{ orders: number }', both('count'))}${view('Words', 'Record<string, Date>', both('word'))}`,
    );
    expect(typeIn(schema, 'Query')).toMatch(/\n {2}state\([^)]*\): State\n/);
    expect(typeIn(schema, 'State')).toBe('union State = StateOpen | StatePaid');
    expect(typeIn(schema, 'StatePage')).toContain('items: [State!]!');
    expect(typeIn(schema, 'Query')).toMatch(/\n {2}count\([^)]*\): UnnamedModel\n/);
    expect(typeIn(schema, 'UnnamedModelPage')).toContain('items: [UnnamedModel!]!');
    expect(typeIn(schema, 'Query')).toMatch(/\n {2}word\([^)]*\): JSON\n/);
    expect(typeIn(schema, 'WordsModelPage')).toContain('items: [JSON!]!');
    expect(typeIn(schema, 'WordsModelLiveModel')).toContain('model: JSON!');
  });
});

function escaped(text: string): string {
  return text.replace(/[[\]]/g, '\\$&');
}
