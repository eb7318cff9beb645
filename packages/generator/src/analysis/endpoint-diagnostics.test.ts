import { describe } from 'vitest';
import { endpointCodes } from '../diagnostics/endpoint-codes.js';
import { testDiagnostics, type DiagnosticCase } from './testing/diagnostic-case.js';

const command = 'export class CreateOrder implements Command { a!: string }\n';
const served = `@commandEndpoint<CreateOrder, void>({ restRoute: '/orders' })\n${command}`;
const withOptions = (options: string, more = ''): string =>
  `${more}@commandEndpoint<CreateOrder, void>(${options})\n${command}`;
const generated = "import * as generated from './generated/create-order.endpoint.js';\n";

const cases: readonly DiagnosticCase[] = [
  {
    code: 'SVC1101',
    title: 'no type arguments',
    source: `@/*!*/commandEndpoint({ restRoute: '/orders' })\n${command}`,
    names: 'commandEndpoint on CreateOrder needs two type arguments',
    fix: 'Write commandEndpoint<CreateOrder, Result>',
  },
  {
    code: 'SVC1102',
    title: 'another command of the same shape',
    source: `export class Sibling implements Command { a!: string }\n@commandEndpoint</*!*/Sibling, void>({ restRoute: '/orders' })\n${command}`,
    names: 'commandEndpoint<Sibling, …> is on CreateOrder',
    fix: 'Write commandEndpoint<CreateOrder, …>',
  },
  {
    code: 'SVC1103',
    title: 'a class that does not implement Command',
    source: "@/*!*/commandEndpoint<Plain, void>({ restRoute: '/plain' })\nexport class Plain { a!: string }\n",
    names: 'Plain has a commandEndpoint but does not implement Command',
    fix: 'Write class Plain implements Command',
  },
  {
    code: 'SVC1103',
    title: 'a class that implements an interface called Command which is not ours',
    source:
      "namespace Own { export interface Command {} }\n@/*!*/commandEndpoint<Plain, void>({ restRoute: '/plain' })\nexport class Plain implements Own.Command { a!: string }\n",
    names: 'Plain',
    fix: 'with Command from @svc/core',
  },
  {
    code: 'SVC1103',
    title: 'an abstract class',
    source:
      "@/*!*/commandEndpoint<Base, void>({ restRoute: '/base' })\nexport abstract class Base implements Command { a!: string }\n",
    names: 'Base has a commandEndpoint but is abstract',
    fix: 'remove the endpoint',
  },
  {
    code: 'SVC1104',
    title: 'a route that is computed',
    source: withOptions('{ restRoute: /*!*/route }', 'let route = "/orders".toLowerCase();\n'),
    names: 'restRoute of CreateOrder is string',
    fix: 'Use a string literal',
  },
  {
    code: 'SVC1104',
    title: 'a mutation name that is computed',
    source: withOptions("{ graphQLMutation: /*!*/'create' + 'Order' }"),
    names: 'graphQLMutation of CreateOrder is string',
    fix: 'a const that holds one',
  },
  ...[
    ['orders', 'does not start with /'],
    ['/my orders', 'contains white space'],
    ['/orders?x=1', 'contains ? or #'],
    ['/orders#x', 'contains ? or #'],
    ['/orders/:', 'has a part with : that is not a parameter'],
    ['/orders/id:id', 'has a part with : that is not a parameter'],
    ['/orders/:id.json', 'has a part with : that is not a parameter'],
    ['/orders/{id}', 'contains { or }, but a parameter is written as :orderId'],
    ['/orders/*', 'contains *'],
  ].map(([route, reason]): DiagnosticCase => ({
    code: 'SVC1105',
    title: `the route ${route}`,
    source: withOptions(`{ restRoute: /*!*/'${route}' }`),
    names: `The route ${route} of CreateOrder ${reason}`,
    fix: 'Use a path such as /orders/cancel or /orders/:orderId/cancel',
  })),
  ...[
    ['create-order', 'is not a GraphQL name'],
    ['1st', 'is not a GraphQL name'],
    ['__create', 'starts with __'],
  ].map(([name, reason]): DiagnosticCase => ({
    code: 'SVC1106',
    title: `the mutation ${name}`,
    source: withOptions(`{ graphQLMutation: /*!*/'${name}' }`),
    names: `The GraphQL mutation ${name} of CreateOrder ${reason}`,
    fix: 'Use letters, digits and underscores',
  })),
  {
    code: 'SVC1107',
    title: 'one route for two commands',
    source: {
      'a.ts': served,
      'b.ts':
        "@commandEndpoint<PlaceOrder, void>({ restRoute: /*!*/'/orders' })\nexport class PlaceOrder implements Command {}\n",
    },
    names: 'PlaceOrder and CreateOrder both have the route /orders',
    fix: 'Give one of them another route',
  },
  ...[
    ['/books', '/books', '/books'],
    ['/books', '/books/:key', '/books/:key'],
    ['/books', '/books/live', '/books/live'],
  ].map(([first, second, shared]): DiagnosticCase => ({
    code: 'SVC1107',
    title: `the routes ${first} and ${second} of two perspectives`,
    source: `export interface Book { title: string }
export class BookBought implements Event { title!: string }
@perspective({ route: '${first}' })
export class Books implements Perspective<Book, BookBought> { apply(): never { throw 1; } }
@perspective({ route: /*!*/'${second}' })
export class Shelf implements Perspective<Book, BookBought> { apply(): never { throw 1; } }
`,
    names: `Shelf and Books both have the route ${shared}`,
    fix: 'Give one of them another route',
  })),
  {
    code: 'SVC1108',
    title: 'one mutation name for two commands',
    source: `${withOptions("{ graphQLMutation: 'create' }")}@commandEndpoint<PlaceOrder, void>({ graphQLMutation: /*!*/'create' })\nexport class PlaceOrder implements Command {}\n`,
    names: 'PlaceOrder and CreateOrder both have the GraphQL mutation create',
    fix: 'Give one of them another name',
  },
  {
    code: 'SVC1109',
    title: 'a request type that is a function',
    source: withOptions("{ restRoute: '/orders', requestType: /*!*/makeRequest }", 'function makeRequest() {}\n'),
    names: 'requestType of CreateOrder is makeRequest',
    fix: 'Use a class',
  },
  {
    code: 'SVC1110',
    title: 'a request type without a class that maps it',
    source: withOptions("{ restRoute: '/orders', requestType: /*!*/Request }", 'export class Request { b!: string }\n'),
    names: 'Callers send a Request for CreateOrder',
    fix: 'override mapRequestToCommand',
  },
  {
    code: 'SVC1110',
    title: 'a request type whose endpoint does not map it',
    source: {
      'orders.ts': withOptions(
        "{ restRoute: '/orders', requestType: /*!*/Request }",
        'export class Request { b!: string }\n',
      ),
      'endpoint.ts': `${generated}export class Custom extends generated.CreateOrderEndpoint {}\n`,
    },
    names: 'Callers send a Request for CreateOrder',
    fix: 'Extend the generated CreateOrderEndpoint',
  },
  {
    code: 'SVC1111',
    title: 'two classes that extend one endpoint',
    source: {
      'orders.ts': served,
      'endpoint.ts': `${generated}export class First extends generated.CreateOrderEndpoint {}\nexport class /*!*/Second extends generated.CreateOrderEndpoint {}\n`,
    },
    names: 'Second and First both extend CreateOrderEndpoint',
    fix: 'Remove one',
  },
  {
    code: 'SVC1112',
    title: 'a class that extends an endpoint that is not generated',
    source: {
      'orders.ts': command,
      'endpoint.ts': `${generated}export class /*!*/Custom extends generated.CreateOrderEndpoint {}\n`,
    },
    names: 'Custom extends CreateOrderEndpoint of generated/create-order.endpoint.ts',
    fix: 'Give the command a commandEndpoint',
  },
  {
    code: 'SVC1113',
    title: 'a custom endpoint that is not exported',
    source: {
      'orders.ts': served,
      'endpoint.ts': `${generated}class /*!*/Custom extends generated.CreateOrderEndpoint {}\n`,
    },
    names: 'Custom extends a generated endpoint but is not exported',
    fix: 'Write export class Custom',
  },
  {
    code: 'SVC1114',
    title: 'a custom endpoint whose constructor starts with something else',
    source: {
      'orders.ts': served,
      'endpoint.ts': `${generated}export class Custom extends generated.CreateOrderEndpoint {\n  constructor(/*!*/mailer: { send(): void }, dispatcher: Dispatcher) { super(dispatcher); }\n}\n`,
    },
    names: 'The constructor of Custom starts with mailer',
    fix: 'Its first parameter must be the dispatcher',
  },
  {
    code: 'SVC1114',
    title: 'a custom endpoint with a dispatcher that is not ours',
    source: {
      'orders.ts': served,
      'endpoint.ts': `${generated}interface Dispatcher2 { invoke(): void }\nexport class Custom extends generated.CreateOrderEndpoint {\n  constructor(/*!*/dispatcher: Dispatcher2) { super(dispatcher); }\n}\n`,
    },
    names: 'starts with dispatcher: Dispatcher2',
    fix: 'with Dispatcher from @svc/core',
  },
  {
    code: 'SVC1115',
    title: 'two commandEndpoints on one command',
    source: `${served}/*!*/commandEndpoint<CreateOrder, void>({ graphQLMutation: 'createOrder' })(CreateOrder);\n`,
    names: 'CreateOrder has a second commandEndpoint',
    fix: 'Combine both into one',
  },
  {
    code: 'SVC1116',
    title: 'a call in another module than the command',
    source: {
      'orders.ts': command,
      'main.ts':
        "import { CreateOrder } from './orders.js';\n/*!*/commandEndpoint<CreateOrder, void>({ restRoute: '/orders' })(CreateOrder);\n",
    },
    names: 'commandEndpoint is called on CreateOrder',
    fix: 'Move the call into the module that declares CreateOrder',
  },
  {
    code: 'SVC1117',
    title: 'a constructor parameter without a name',
    source: {
      'orders.ts': served,
      'endpoint.ts': `${generated}export class Custom extends generated.CreateOrderEndpoint {\n  constructor(dispatcher: Dispatcher, /*!*/{ send }: { send(): void }) { super(dispatcher); }\n}\n`,
    },
    names: 'The constructor of Custom has a parameter without a name',
    fix: 'Use plain named parameters',
  },
  {
    code: 'SVC1118',
    title: 'a constructor that is not public',
    source: {
      'orders.ts': served,
      'endpoint.ts': `${generated}export class Custom extends generated.CreateOrderEndpoint {\n  /*!*/protected constructor(dispatcher: Dispatcher) { super(dispatcher); }\n}\n`,
    },
    names: 'Custom has a private or protected constructor',
    fix: 'Make the constructor public',
  },
  {
    code: 'SVC1119',
    title: 'a request class that is not exported',
    source: {
      'orders.ts': withOptions("{ restRoute: '/orders', requestType: /*!*/Request }", 'class Request { b!: string }\n'),
      'endpoint.ts': `${generated}export class Custom extends generated.CreateOrderEndpoint { mapRequestToCommand() {} }\n`,
    },
    names: 'requestType of CreateOrder is Request',
    fix: 'Write export class Request',
  },
];

describe('an endpoint that cannot be generated', () => {
  testDiagnostics(cases, endpointCodes);
});
