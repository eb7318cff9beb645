import { describe } from 'vitest';
import { secretCodes } from '../diagnostics/secret-codes.js';
import { testDiagnostics, type DiagnosticCase } from './testing/diagnostic-case.js';

const cases: readonly DiagnosticCase[] = [
  {
    code: 'SVC1030',
    title: 'a secret in an event',
    source: 'export class OrderPaid implements Event {\n  /*!*/token!: string & Secret;\n}\n',
    names: 'OrderPaid.token is a Secret, and the event OrderPaid',
    fix: 'Remove it from there',
  },
  {
    code: 'SVC1030',
    title: 'a secret in a type that an event contains, in a list that can be null',
    source:
      'export interface Card { /*!*/codes: (string & Secret)[] | null }\nexport class OrderPaid implements Event {\n  cards!: Card[];\n}\n',
    names: 'Card.codes is a Secret, and the event OrderPaid',
    fix: 'store a reference',
  },
  {
    code: 'SVC1030',
    title: 'a secret in the model of a perspective',
    source:
      'export class OrderPaid implements Event {\n  id!: Uuid;\n}\nexport interface Order { id: Uuid; /*!*/token?: string & Secret }\nexport class Orders implements Perspective<Order, OrderPaid> {\n  apply(_: Order | null, event: OrderPaid): Order {\n    return { id: event.id };\n  }\n}\n',
    names: 'Order.token is a Secret, and the model of Orders',
    fix: 'Remove it from there',
  },
  {
    code: 'SVC1030',
    title: 'a secret in the result of a command',
    source:
      'export interface Paid { /*!*/token: string & Secret }\nexport class PayOrder implements Command {\n  id!: Uuid;\n}\nexport class PayOrderReceptor implements Receptor<PayOrder, Paid> {\n  receive(): Paid {\n    return { token: "" };\n  }\n}\n',
    names: 'Paid.token is a Secret, and the result of PayOrder',
    fix: 'Remove it from there',
  },
  {
    code: 'SVC1030',
    title: 'a secret in the state of a decider with snapshots',
    source:
      'export class OrderPaid implements Event {\n  id!: Uuid;\n}\nexport interface Order { /*!*/token: (string & Secret) | null }\n@snapshot({ every: 100, version: 1 })\nexport class OrderDecider implements Decider<Order, OrderPaid> {\n  initial(): Order {\n    return { token: null };\n  }\n  evolve(state: Order, event: OrderPaid): Order {\n    return event instanceof OrderPaid ? state : state;\n  }\n}\n',
    names: 'Order.token is a Secret, and the state of OrderDecider',
    fix: 'Remove it from there',
  },
  {
    code: 'SVC1031',
    title: 'a secret with a default value',
    source: "export class PayOrder implements Command {\n  /*!*/token: string & Secret = 'tok_1';\n}\n",
    names: 'PayOrder.token is a Secret with a default value',
    fix: 'make the property optional',
  },
  {
    code: 'SVC1031',
    title: 'a list of secrets with a default value',
    source: "export class PayOrder implements Command {\n  /*!*/tokens: (string & Secret)[] | null = ['tok_1'];\n}\n",
    names: 'PayOrder.tokens is a Secret with a default value',
    fix: 'make the property optional',
  },
  {
    code: 'SVC1040',
    title: 'personal data of a property that does not exist',
    source: "export class /*!*/Register implements Command {\n  name!: string & Personal<'customerId'>;\n}\n",
    names: 'Register.name is personal data of customerId',
    fix: 'Add the property',
  },
  {
    code: 'SVC1040',
    title: 'personal data of an optional property',
    source: "export class /*!*/Register implements Command {\n  id?: Uuid;\n  name!: string & Personal<'id'>;\n}\n",
    names: 'no required text id',
    fix: 'or name another one',
  },
  {
    code: 'SVC1041',
    title: 'personal data of an event that cannot be null',
    source: "export class Registered implements Event {\n  id!: Uuid;\n  /*!*/name!: string & Personal<'id'>;\n}\n",
    names: 'Registered.name is personal data that cannot be null, and the event Registered',
    fix: 'Add "| null"',
  },
  {
    code: 'SVC1041',
    title: 'personal data in a type that an event contains',
    source:
      "export interface Person { id: Uuid; /*!*/name: string & Personal<'id'> }\nexport class Registered implements Event {\n  people!: Person[];\n}\n",
    names: 'Person.name is personal data that cannot be null, and the event Registered',
    fix: 'handle it where the property is used',
  },
  {
    code: 'SVC1042',
    title: 'personal items of a list',
    source:
      "export class Register implements Command {\n  id!: Uuid;\n  /*!*/names!: (string & Personal<'id'>)[];\n}\n",
    names: 'Register.names has items that are marked as Personal',
    fix: 'Mark the property as a whole',
  },
  {
    code: 'SVC1043',
    title: 'an indexed property that is personal data',
    source:
      "export class Registered implements Event {\n  id!: Uuid;\n}\nexport interface Person { id: Uuid; name: (string & Personal<'id'>) | null }\n@perspective({ indexed: [/*!*/'name'] })\nexport class People implements Perspective<Person, Registered> {\n  apply(_: Person | null, { id }: Registered): Person {\n    return { id, name: null };\n  }\n}\n",
    names: 'People indexes name, which is personal data',
    fix: 'Remove it from indexed',
  },
];

describe('secrets', () => {
  testDiagnostics(cases, secretCodes);
});
