import { describe } from 'vitest';
import { queryCodes } from '../diagnostics/query-codes.js';
import { testDiagnostics, type DiagnosticCase } from './testing/diagnostic-case.js';

const events = 'export interface Order { notes: string[] }\nexport class OrderPlaced implements Event { a!: string }\n';
const orders = (options: string, name = 'Orders'): string =>
  `@perspective(${options})\nexport class ${name} implements Perspective<Order, OrderPlaced> { apply(): never { throw 1; } }\n`;

const cases: readonly DiagnosticCase[] = [
  ...(['route', 'graphQLQuery', 'graphQLListQuery'] as const).map((option) => ({
    code: 'SVC1701' as const,
    title: `a ${option} that is computed`,
    source: `${events}let name = 'order'.trim();\n${orders(`{ ${option}: /*!*/name }`)}`,
    names: `${option} of Orders is string`,
    fix: 'Use a string literal',
  })),
  ...[
    ['all-orders', 'is not a GraphQL name'],
    ['1st', 'is not a GraphQL name'],
    ['__orders', 'starts with __'],
  ].map(([name, reason]): DiagnosticCase => ({
    code: 'SVC1702',
    title: `the query ${name}`,
    source: `${events}${orders(`{ graphQLListQuery: /*!*/'${name}' }`)}`,
    names: `The GraphQL query ${name} of Orders ${reason}`,
    fix: 'Use letters, digits and underscores',
  })),
  {
    code: 'SVC1703',
    title: 'one name for both queries of a perspective',
    source: `${events}${orders("{ graphQLQuery: 'orders', graphQLListQuery: /*!*/'orders' }")}`,
    names: 'Orders has two GraphQL queries called orders',
    fix: "graphQLQuery: 'order'",
  },
  {
    code: 'SVC1703',
    title: 'one name in two modules',
    source: {
      'a.ts': `${events}${orders("{ graphQLQuery: 'order' }")}`,
      'b.ts': `import { Order, OrderPlaced } from './a.js';\n${orders("{ graphQLListQuery: /*!*/'order' }", 'Others')}`,
    },
    names: 'Others and Orders both have the GraphQL query order',
    fix: 'Rename one of them',
  },
  {
    code: 'SVC1704',
    title: 'a decorator and a call on the class',
    source: `${events}${orders("{ graphQLQuery: 'order' }")}/*!*/perspective({ route: '/orders' })(Orders);\n`,
    names: 'Orders has a second perspective decorator',
    fix: 'Combine both into one',
  },
  {
    code: 'SVC1705',
    title: 'a class that is no perspective',
    source: `${events}@/*!*/perspective({ route: '/orders' })\nexport class Plain { a!: string }\n`,
    names: 'Plain, which does not implement Perspective',
    fix: 'Write class Plain implements Perspective<Model, EventA | EventB>',
  },
  {
    code: 'SVC1705',
    title: 'an abstract class',
    source: `${events}@/*!*/perspective({ route: '/orders' })\nexport abstract class Base implements Perspective<Order, OrderPlaced> { abstract apply(): never }\n`,
    names: 'Base, which is abstract',
    fix: 'or remove it',
  },
  {
    code: 'SVC1705',
    title: 'something that is no class',
    source: `${events}const thing = class {} as never;\n/*!*/perspective({ route: '/orders' })(thing);\n`,
    names: 'thing, which is not a class',
    fix: 'or remove it',
  },
  {
    code: 'SVC1706',
    title: 'a call in another module',
    source: {
      'a.ts': `${events}export class Orders implements Perspective<Order, OrderPlaced> { apply(): never { throw 1; } }\n`,
      'b.ts': "import { Orders } from './a.js';\n/*!*/perspective({ graphQLQuery: 'order' })(Orders);\n",
    },
    names: 'perspective is called on Orders, which is declared in another module',
    fix: 'Move the call',
  },
];

describe('invalid queries of a perspective', () => {
  testDiagnostics(cases, queryCodes);
});
