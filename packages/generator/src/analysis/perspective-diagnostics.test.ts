import { describe } from 'vitest';
import { perspectiveCodes } from '../diagnostics/perspective-codes.js';
import { testDiagnostics, type DiagnosticCase } from './testing/diagnostic-case.js';

const events =
  'export interface Order { a: string; notes: string[] }\nexport class OrderPlaced implements Event { a!: string }\n';
const perspective = (name: string, of = 'Order, OrderPlaced'): string =>
  `class ${name} implements Perspective<${of}> { apply(): never { throw 1; } }\n`;

const decorated = (indexed: string): string =>
  `@perspective({ indexed: ${indexed} })\nexport ${perspective('OrderPerspective')}`;

const cases: readonly DiagnosticCase[] = [
  {
    code: 'SVC1601',
    title: 'a perspective that is not exported',
    source: `${events}${perspective('/*!*/OrderPerspective')}`,
    names: 'OrderPerspective is a perspective but is not exported',
    fix: 'Write export class OrderPerspective',
  },
  {
    code: 'SVC1601',
    title: 'a perspective that is exported as default',
    source: `${events}export default ${perspective('/*!*/OrderPerspective')}`,
    names: 'OrderPerspective is a perspective but is not exported',
    fix: 'Write export class OrderPerspective',
  },
  ...['string[]', 'Date', 'string | number', 'Order | null', '"a" | "b"', 'unknown'].map((model) => ({
    code: 'SVC1602' as const,
    title: `a model that is ${model}`,
    source: `${events}export ${perspective('/*!*/OrderPerspective', `${model}, OrderPlaced`)}`,
    names: 'The model of OrderPerspective is ',
    fix: 'Declare an interface with a property of that type',
  })),
  ...[
    ['a plain class', 'export class Plain { a!: string }\n', 'Plain'],
    ['an interface', 'export interface Happening extends Event { a: string }\n', 'Happening'],
    ['an abstract class', 'export abstract class Base implements Event { a!: string }\n', 'Base'],
    ['a command', 'export class CreateOrder implements Command { a!: string }\n', 'CreateOrder'],
    ['a word', '', 'string'],
    ['an error', '', 'Error'],
  ].map(([what, declared, name]) => ({
    code: 'SVC1603' as const,
    title: `a perspective of ${what} among the events`,
    source: `${events}${declared}export ${perspective('/*!*/OrderPerspective', `Order, OrderPlaced | ${name}`)}`,
    names: `OrderPerspective processes ${name}, which is not an event class`,
    fix: 'Let its class implement Event',
  })),
  ...['Order', 'Order, Event', 'Order, SystemEvent', 'Order, never'].map((given) => ({
    code: 'SVC1604' as const,
    title: `no event in Perspective<${given}>`,
    source: `${events}export ${perspective('/*!*/OrderPerspective', given)}`,
    names: 'OrderPerspective does not declare which events it processes',
    fix: 'Write implements Perspective<Model, EventA | EventB>',
  })),
  {
    code: 'SVC1605',
    title: 'two perspectives of one name',
    source: {
      'a.ts': `${events}export ${perspective('OrderPerspective')}`,
      'b.ts': `import { Order, OrderPlaced } from './a.js';\nexport ${perspective('/*!*/OrderPerspective')}`,
    },
    names: 'src/a.ts has another perspective called OrderPerspective',
    fix: 'Rename one of the classes',
  },
  {
    code: 'SVC1606',
    title: 'a perspective whose base hides its model',
    source: `${events}interface Page<T> { items: T[] }\nabstract class Base<T extends Event> implements Perspective<Page<T>, T> { apply(): never { throw 1; } }\nexport class /*!*/OrderPerspective extends Base<OrderPlaced> {}\n`,
    names: 'hides its model or events',
    fix: 'on OrderPerspective itself',
  },
  {
    code: 'SVC1606',
    title: 'a generic perspective',
    source: `${events}export class /*!*/OrderPerspective<T extends object> implements Perspective<T, OrderPlaced> { apply(): never { throw 1; } }\n`,
    names: 'OrderPerspective inherits Perspective in a way that hides',
    fix: 'without type parameters',
  },
  {
    code: 'SVC1606',
    title: 'a perspective of two models',
    source: `${events}interface Other { a: string }\nexport class /*!*/OrderPerspective implements Perspective<Order, OrderPlaced>, Perspective<Other, OrderPlaced> { apply(): never { throw 1; } }\n`,
    names: 'or more than once',
    fix: 'once and without type parameters',
  },
  ...[
    ['a list', "'notes'", 'notes'],
    ['nothing of the model', "'status'", 'status'],
    ['the key', "'key'", 'key'],
    ['an object', "'place'", 'place'],
    ['texts and numbers', "'mixed'", 'mixed'],
  ].map(([what, written, name]) => ({
    code: 'SVC1607' as const,
    title: `an index by ${what}`,
    source: `${events.replace('notes: string[]', 'notes: string[]; key: string; place: { x: number }; mixed: 1 | "a"')}${decorated(`['a', /*!*/${written}]`)}`,
    names: `is indexed by ${name}`,
    fix: 'Name another property',
  })),
  {
    code: 'SVC1608',
    title: 'an index that is not a literal',
    source: `${events}const names: string[] = [];\n${decorated('/*!*/names as never')}`,
    names: 'The indexed properties of OrderPerspective',
    fix: "Write them as literals: indexed: ['status', 'placedAt']",
  },
];

describe('an invalid perspective', () => {
  testDiagnostics(cases, perspectiveCodes);
});
