import { describe } from 'vitest';
import { graphqlCodes } from '../diagnostics/graphql-codes.js';
import { testDiagnostics, type DiagnosticCase } from './testing/diagnostic-case.js';

const mutation = (properties: string, before = '', result = 'void'): string =>
  `${before}\n@commandEndpoint<Do, ${result}>({ graphQLMutation: /*!*/'do' })\nexport class Do implements Command { ${properties} }\n`;

const cases: readonly DiagnosticCase[] = [
  {
    code: 'SVC1501',
    title: 'two types of one name in two modules',
    source: {
      'a.ts': mutation(
        'item!: Item; other!: b.Item',
        "import type * as b from './b.js';\nexport interface Item { a: string }",
      ),
      'b.ts': 'export interface Item { b: string }\n',
    },
    names: 'two types called ItemInput, for Item and for Item',
    fix: 'Rename one of the types',
  },
  {
    code: 'SVC1501',
    title: 'a result called as an input is',
    source: mutation(
      'order!: Order',
      'export interface Order { a: string }\nexport interface OrderInput { b: string }',
      'OrderInput',
    ),
    names: 'two types called OrderInput, for Order and for OrderInput',
    fix: 'Rename one of the types',
  },
  {
    code: 'SVC1501',
    title: 'a model called as a page of another is',
    source: `export class Placed implements Event { a!: string }
export interface Order { id: string }
export interface OrderPage { id: string }
@perspective({ graphQLListQuery: 'orders' })
export class A implements Perspective<Order, Placed> { apply(): never { throw 1; } }
@perspective({ graphQLQuery: /*!*/'page' })
export class B implements Perspective<OrderPage, Placed> { apply(): never { throw 1; } }\n`,
    names: 'two types called OrderPage, for a page of A and for OrderPage',
    fix: 'Rename one of the types',
  },
  {
    code: 'SVC1501',
    title: 'a model called as a live list of another is',
    source: `export class Placed implements Event { a!: string }
export interface Order { id: string }
export interface OrderLiveList { id: string }
@perspective({ graphQLListQuery: 'orders' })
export class A implements Perspective<Order, Placed> { apply(): never { throw 1; } }
@perspective({ graphQLQuery: /*!*/'live' })
export class B implements Perspective<OrderLiveList, Placed> { apply(): never { throw 1; } }\n`,
    names: 'two types called OrderLiveList, for a live list of A and for OrderLiveList',
    fix: 'Rename one of the types',
  },
  {
    code: 'SVC1501',
    title: 'a type without a name that would be called as another',
    source: mutation("status!: 'a' | 'b'; other!: DoStatus", "export type DoStatus = 'c' | 'd';"),
    names: 'two types called DoStatus, for Do.status and for DoStatus',
    fix: 'declare an inline type under a name',
  },
  {
    code: 'SVC1502',
    title: 'a type with a reserved name',
    source: mutation('a!: string', 'export interface Query { a: string }', 'Query'),
    names: 'Query would be called Query in the GraphQL schema, which is reserved',
    fix: 'Rename the type',
  },
  {
    code: 'SVC1502',
    title: 'a type whose name GraphQL does not allow',
    source: mutation('a!: $Money', 'export interface $Money { a: string }'),
    names: '$Money would be called $MoneyInput in the GraphQL schema, which is not a valid GraphQL name',
    fix: 'Rename the type',
  },
  {
    code: 'SVC1503',
    title: 'a property whose name GraphQL does not allow',
    source: mutation("'unit-price'!: string"),
    names: 'Do.unit-price cannot be a field',
    fix: 'use Record<string, T> or unknown',
  },
  {
    code: 'SVC1503',
    title: 'a property of a result that starts with two underscores',
    source: mutation('a!: string', '', '{ __type: string }'),
    names: 'the result of Do.__type cannot be a field',
    fix: 'Rename the property',
  },
  {
    code: 'SVC1504',
    title: 'tags that become one key',
    source: mutation(
      'a!: A | B',
      "export interface A { kind: 'on-account' }\nexport interface B { kind: 'on account'; y: string }",
    ),
    names: 'members with the tags on account and on-account, which would both have the key onAccount',
    fix: 'Change one of the tags',
  },
  {
    code: 'SVC1505',
    title: 'a type that must contain itself',
    source: mutation('a!: A', 'export interface A { b: B }\nexport interface B { a: A }'),
    names: 'Every A must contain another A',
    fix: 'optional, nullable or a list',
  },
];

describe('what GraphQL cannot express', () => {
  testDiagnostics(cases, graphqlCodes);
});
