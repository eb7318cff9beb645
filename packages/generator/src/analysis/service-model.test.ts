import { afterAll, describe, expect, it } from 'vitest';
import type { ServiceModel } from '../model/index.js';
import { imports, ServiceFixture } from './testing/service-fixture.js';

const fixture = new ServiceFixture({});

afterAll(() => fixture[Symbol.dispose]());

/** The model of sources without a mistake, given by their paths below `src`. */
function modelOf(files: Readonly<Record<string, string>>): ServiceModel {
  fixture.replaceSources(Object.fromEntries(Object.entries(files).map(([path, text]) => [`src/${path}`, text])));
  const { model, diagnostics } = fixture.analyze();
  expect(diagnostics).toEqual([]);
  return model;
}

const order = `${imports}
/** Places an order. */
@commandEndpoint<CreateOrder, OrderCreated>({ restRoute: '/orders', graphQLMutation: 'createOrder' })
export class CreateOrder implements Command {
  /** Who orders. */
  customerId!: Uuid;
}
export interface OrderCreated { orderId: Uuid }
`;

describe('messages', () => {
  it('finds commands, events and system events', () => {
    const { messages } = modelOf({
      'a.ts': `${imports}export class Create implements Command {}
export class Created implements Event {}
export class Audited implements SystemEvent {}`,
    });
    expect(messages).toEqual([
      { kind: 'systemEvent', name: 'Audited', type: 'shop.Audited', module: 'a', typeId: 'a#Audited' },
      { kind: 'command', name: 'Create', type: 'shop.Create', module: 'a', typeId: 'a#Create' },
      { kind: 'event', name: 'Created', type: 'shop.Created', module: 'a', typeId: 'a#Created' },
    ]);
  });

  it('finds them through interfaces, base classes, aliases and other names', () => {
    const { messages } = modelOf({
      'shared/index.ts': "export type { Command as Wish } from '@svc/core';\nexport * from './tenant.js';\n",
      'shared/tenant.ts': `import type { Wish } from './index.js';
export interface TenantCommand extends Wish { tenant: string }
export abstract class TenantBase implements TenantCommand { tenant!: string }
export type Marked = TenantCommand & { mark: string };
export default abstract class Anonymous implements TenantCommand { tenant!: string }`,
      'a.ts': `import * as shared from './shared/index.js';
import Base from './shared/tenant.js';
export class ByInterface implements shared.TenantCommand { tenant!: string }
export class ByClass extends shared.TenantBase {}
export class ByAlias implements shared.Marked { tenant!: string; mark!: string }
export class ByDefault extends Base {}`,
    });
    expect(messages.map(({ name }) => name)).toEqual(['ByAlias', 'ByClass', 'ByDefault', 'ByInterface']);
  });

  it('ignores abstract classes, tests, and other interfaces of the same name', () => {
    const { messages } = modelOf({
      'a.ts': `${imports}export abstract class Base implements Command {}`,
      'b.ts': 'interface Command {}\nexport class Mine implements Command {}\n',
      'c.test.ts': `${imports}export class OfTest implements Command {}`,
    });
    expect(messages).toEqual([]);
  });

  it('reads only the data of a class', () => {
    const { types } = modelOf({
      'a.ts': `${imports}
export class Base { inherited!: string }
export class Create extends Base implements Command {
  static readonly version = 1;
  /** How many. */
  count: Int = 1;
  readonly kind = 'create';
  note?: string;
  get double(): number { return this.count * 2; }
  total(): number { return this.count; }
  #hidden(): void {}
}`,
    });
    expect(types).toEqual([
      {
        id: 'a#Create',
        name: 'Create',
        module: 'a',
        exportName: 'Create',
        isClass: true,
        constructorProperties: [],
        isRecursive: false,
        description: null,
        type: {
          kind: 'object',
          properties: [
            { name: 'inherited', type: { kind: 'string' }, presence: 'required', description: null },
            {
              name: 'count',
              type: { kind: 'number', integer: true },
              presence: 'initialised',
              description: 'How many.',
              default: 1,
            },
            {
              name: 'kind',
              type: { kind: 'literal', values: ['create'] },
              presence: 'initialised',
              description: null,
              default: 'create',
            },
            { name: 'note', type: { kind: 'string' }, presence: 'optional', description: null },
          ],
        },
      },
    ]);
  });

  it('reads parameter properties of a constructor', () => {
    const { types } = modelOf({
      'a.ts': `${imports}export class Create implements Command {
  constructor(readonly id: Uuid, readonly count = 1, public note?: string) {}
}`,
    });
    expect(types[0]).toMatchObject({
      constructorProperties: ['id', 'count', 'note'],
      type: {
        properties: [
          { name: 'id', presence: 'required' },
          { name: 'count', presence: 'initialised' },
          { name: 'note', presence: 'optional' },
        ],
      },
    });
  });

  it('accepts a message with methods as part of another', () => {
    const { types } = modelOf({
      'a.ts': `${imports}export class Inner implements Event { a!: string; text() { return this.a; } }
export class Outer implements Event { inner!: Inner }`,
    });
    expect(types.map(({ id }) => id)).toEqual(['a#Inner', 'a#Outer']);
  });
});

describe('endpoints', () => {
  it('reads the decorator', () => {
    const { endpoints, messages } = modelOf({ 'orders/create-order.ts': order });
    expect(endpoints).toEqual([
      {
        name: 'CreateOrderEndpoint',
        command: 'CreateOrder',
        restRoute: '/orders',
        pathParameters: [],
        graphQLMutation: 'createOrder',
        requestTypeId: null,
        result: { kind: 'ref', id: 'orders/create-order#OrderCreated' },
        description: 'Places an order.',
        custom: null,
      },
    ]);
    expect(messages[0]?.result).toEqual({ kind: 'ref', id: 'orders/create-order#OrderCreated' });
  });

  it('reads the call on the class', () => {
    const { endpoints } = modelOf({
      'a.ts': `${imports}export class Create implements Command {}
commandEndpoint<Create, string | undefined>({ restRoute: '/a' })(Create);`,
    });
    expect(endpoints).toMatchObject([
      { command: 'Create', restRoute: '/a', result: { kind: 'nullable', type: { kind: 'string' } } },
    ]);
  });

  it.each([
    ["const ROUTE = '/orders';", '{ restRoute: ROUTE }'],
    ["const restRoute = '/orders';", '{ restRoute }'],
    ["const routes = { create: '/orders' } as const;", '{ restRoute: routes.create }'],
    ["const base = '/ord';", '{ restRoute: `${base}ers` as const }'],
    ["const options = { restRoute: '/orders' } as const;", 'options'],
    ["const options = { restRoute: '/orders' } as const;", '{ ...options }'],
    ["enum Routes { Create = '/orders' }", '{ restRoute: Routes.Create }'],
  ])('reads a route from %s', (constant, options) => {
    const { endpoints } = modelOf({
      'a.ts': `${imports}${constant}\n@commandEndpoint<Create, void>(${options})\nexport class Create implements Command {}`,
    });
    expect(endpoints).toMatchObject([{ restRoute: '/orders', result: { kind: 'null' } }]);
  });

  it('creates no endpoint without a route and a mutation, or with empty ones', () => {
    const { endpoints } = modelOf({
      'a.ts': `${imports}
@commandEndpoint<A, void>({}) export class A implements Command {}
@commandEndpoint<B, void>({ restRoute: '', graphQLMutation: null }) export class B implements Command {}
@commandEndpoint<C, void>({ restRoute: '', graphQLMutation: 'c' }) export class C implements Command {}
export class D implements Command {}`,
    });
    expect(endpoints).toMatchObject([{ command: 'C', restRoute: null, graphQLMutation: 'c' }]);
  });

  it('finds a request type and the class that maps it', () => {
    const { endpoints, types } = modelOf({
      'orders/create-order.ts': `${imports}
export class CreateRequest { label!: string; lines(): string[] { return this.label.split(','); } }
@commandEndpoint<CreateOrder, void>({ restRoute: '/orders', requestType: CreateRequest })
export class CreateOrder implements Command {}`,
      'orders/create-order.endpoint.ts': `${imports}
import * as generated from './generated/create-order.endpoint.js';
export class CreateOrderEndpoint extends generated.CreateOrderEndpoint {
  constructor(dispatcher: Dispatcher, readonly clock: { now(): Date }, tries = 3) { super(dispatcher); }
  protected override mapRequestToCommand() {}
}`,
    });
    expect(endpoints).toMatchObject([
      {
        requestTypeId: 'orders/create-order#CreateRequest',
        custom: {
          name: 'CreateOrderEndpoint',
          module: 'orders/create-order.endpoint',
          parameters: [
            { name: 'dispatcher', kind: 'dispatcher', optional: false },
            { name: 'clock', kind: 'service', optional: false },
            { name: 'tries', kind: 'service', optional: true },
          ],
          hooks: [{ name: 'mapRequestToCommand', takesSignal: false }],
        },
      },
    ]);
    expect(types.map(({ id }) => id)).toEqual(['orders/create-order#CreateOrder', 'orders/create-order#CreateRequest']);
  });

  it.each([
    ["import { CreateOrderEndpoint as Base } from './generated/create-order.endpoint.js';", 'Base'],
    ["import { CreateOrderEndpoint } from './generated/create-order.endpoint.js';", 'CreateOrderEndpoint'],
    ["import * as g from '../orders/generated/create-order.endpoint.js';", 'g.CreateOrderEndpoint'],
    ["import * as g from '#orders/generated/create-order.endpoint.js';", 'g.CreateOrderEndpoint'],
  ])('finds a subclass by %s', (statement, base) => {
    using service = new ServiceFixture({
      'package.json': JSON.stringify({ name: 'shop', type: 'module', imports: { '#orders/*': './src/orders/*' } }),
      'src/orders/create-order.ts': order,
      'src/orders/custom.ts': `${statement}\nexport class Custom extends ${base} {}`,
    });
    const { model, diagnostics } = service.analyze();
    expect(diagnostics).toEqual([]);
    expect(model.endpoints[0]?.custom).toEqual({ name: 'Custom', module: 'orders/custom', parameters: [], hooks: [] });
  });

  it('finds a subclass behind an abstract one', () => {
    const { endpoints } = modelOf({
      'create-order.ts': order,
      'base.ts': `${imports}import { CreateOrderEndpoint } from './generated/create-order.endpoint.js';
export abstract class Checked extends CreateOrderEndpoint { constructor(dispatcher: Dispatcher, readonly audit: object) { super(dispatcher); } }`,
      'custom.ts': "import { Checked } from './base.js';\nexport class Custom extends Checked {}",
    });
    expect(endpoints[0]?.custom).toMatchObject({ name: 'Custom', parameters: [{}, { name: 'audit' }] });
  });

  it('does not read generated files', () => {
    const before = { 'orders/create-order.ts': order };
    const after = {
      ...before,
      'orders/generated/create-order.endpoint.ts': 'this is not TypeScript {',
      'generated/registry.ts': `${imports}export class Stray implements Command {}`,
    };
    expect(modelOf(after)).toEqual(modelOf(before));
  });
});

describe('receptors', () => {
  it('finds them directly, through interfaces, aliases and base classes', () => {
    const { receptors } = modelOf({
      'a.ts': `${imports}
export class A implements Command {}
export class B implements Command {}
export class C implements Command {}
export type OfD = Receptor<D, Uuid> & { readonly name: string };
export class D implements Command {}
export class ForD implements OfD { name = 'd'; receive() { return newId(); } }
export interface OfB extends Receptor<B, string> {}
export abstract class Base<T extends Command, R> implements Receptor<T, R> { abstract receive(command: T): R }
export class ForA implements Receptor<A> {
  constructor(readonly dispatcher: Dispatcher, mailer: object, log?: object) {}
  receive() {}
}
export class ForB implements OfB { receive() { return ''; } }
export class ForC extends Base<C, number> { receive() { return 1; } }`,
    });
    expect(receptors).toEqual([
      {
        name: 'ForA',
        module: 'a',
        command: 'A',
        parameters: [
          { name: 'dispatcher', kind: 'dispatcher', optional: false },
          { name: 'mailer', kind: 'service', optional: false },
          { name: 'log', kind: 'service', optional: true },
        ],
      },
      { name: 'ForB', module: 'a', command: 'B', parameters: [] },
      { name: 'ForC', module: 'a', command: 'C', parameters: [] },
      { name: 'ForD', module: 'a', command: 'D', parameters: [] },
    ]);
  });

  it('reads the result of a command without an endpoint', () => {
    const { messages, types } = modelOf({
      'a.ts': `${imports}export class A implements Command {}
export class B implements Command {}
export interface Found { id: Uuid }
export class ForA implements Receptor<A, Found | null> { receive() { return null; } }
export class ForB implements Receptor<B> { receive() {} }`,
    });
    expect(messages.map(({ result }) => result)).toEqual([
      { kind: 'nullable', type: { kind: 'ref', id: 'a#Found' } },
      { kind: 'null' },
    ]);
    expect(types.map(({ id }) => id)).toContain('a#Found');
  });

  it('accepts two types of the same shape as the same result', () => {
    const { receptors } = modelOf({
      'a.ts': `${order}interface Same { orderId: Uuid }
export class Handler implements Receptor<CreateOrder, Same> { receive(): Same { throw 1; } }`,
    });
    expect(receptors).toHaveLength(1);
  });
});

describe('named types', () => {
  it('numbers those that would share a name in their module', () => {
    const { types } = modelOf({
      'a.ts': `${imports}export interface Page<T> { items: T[] }
export interface PageOfString { own: string }
export class A implements Event { a!: Page<string>; b!: PageOfString; c!: Page<'x' | 'y'>; d!: Page<'XOrY'> }`,
    });
    expect(Object.fromEntries(types.map(({ id, name }) => [id, name]))).toEqual({
      'a#A': 'A',
      'a#Page<string>': 'PageOfString2',
      'a#PageOfString': 'PageOfString',
      'a#Page<"XOrY">': 'PageOfXOrY',
      'a#Page<"x" | "y">': 'PageOfXOrY2',
    });
  });

  it('includes those that a package declares', () => {
    const { types } = modelOf({
      'a.ts': `import type { Event, Issue } from '@svc/core';\nexport class A implements Event { issue!: Issue }`,
    });
    expect(types.filter(({ module }) => module === null)).toMatchObject([
      { id: '@svc/core/src/errors/validation-error#Issue', name: 'Issue', exportName: null },
    ]);
  });
});

describe('packages', () => {
  const contracts = {
    'node_modules/contracts/package.json': JSON.stringify({ name: 'contracts', version: '1.0.0', types: 'index.d.ts' }),
    'node_modules/contracts/index.d.ts':
      'export interface Money { cents: number }\nexport class Client { send(): Money }\n',
  };

  it('are read for the types of messages', () => {
    using service = new ServiceFixture({
      ...contracts,
      'src/a.ts': `${imports}import type { Money } from 'contracts';
export class Paid implements Event { money!: Money }
export class Moved implements Event { constructor(readonly money: Money) {} }`,
    });
    const { model, diagnostics } = service.analyze();
    expect(diagnostics).toEqual([]);
    expect(model.types[0]).toMatchObject({ id: 'a#Moved' });
    expect(model.types.at(-1)).toMatchObject({ id: 'contracts/index#Money', module: null, name: 'Money' });
  });

  it('are not read for imports that only method bodies use', () => {
    const { receptors } = modelOf({
      'a.ts': `${imports}import { Client } from 'not-installed';
import { readFile } from 'node:fs';
export class Pay implements Command {}
export class Payer implements Receptor<Pay> {
  readonly #client: Client;
  constructor(client: Client, private readonly other: Client) { this.#client = client; }
  receive() { readFile('', () => {}); this.#client.send(); }
}`,
    });
    expect(receptors).toMatchObject([{ parameters: [{ name: 'client' }, { name: 'other' }] }]);
  });
});
