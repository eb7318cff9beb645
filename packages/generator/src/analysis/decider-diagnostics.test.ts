import { afterAll, describe, expect, it } from 'vitest';
import { deciderCodes } from '../diagnostics/decider-codes.js';
import { testDiagnostics, type DiagnosticCase } from './testing/diagnostic-case.js';
import { imports, ServiceFixture } from './testing/service-fixture.js';

const events = `export interface State { a: string }
export class OrderPlaced implements Event { a!: string }
export class OrderPaid implements Event { b!: number }
export class OrderClosed implements Event { c!: number }
`;
const decider = (name: string, of = 'State, OrderPlaced', members = ''): string =>
  `class ${name} implements Decider<${of}> { ${members} initial(): never { throw 1; } evolve(): never { throw 1; } }\n`;
const evolving = (body: string, parameter = 'event: OrderPlaced | OrderPaid | OrderClosed', place = ''): string =>
  `${events}export class Order implements Decider<State, OrderPlaced | OrderPaid | OrderClosed> {
  initial(): State { return { a: '' }; }
  ${place}evolve(state: State, ${parameter}): State { ${body} }
}\n`;

const placed = 'if (event instanceof OrderPlaced) return { a: event.a };';
const paid = "if (event instanceof OrderPaid) return { a: 'paid' };";
const closed = "if (event instanceof OrderClosed) return { a: 'closed' };";

const cases: readonly DiagnosticCase[] = [
  {
    code: 'SVC1801',
    title: 'a decider that is not exported',
    source: `${events}${decider('/*!*/Order')}`,
    names: 'Order is a decider but is not exported',
    fix: 'Write export class Order',
  },
  {
    code: 'SVC1802',
    title: 'a generic decider',
    source: `${events}export class /*!*/Order<T extends object> implements Decider<T, OrderPlaced> { initial(): never { throw 1; } evolve(): never { throw 1; } }\n`,
    names: 'Order inherits Decider in a way that hides',
    fix: 'without type parameters',
  },
  {
    code: 'SVC1802',
    title: 'a decider of two states',
    source: `${events}export class /*!*/Order implements Decider<State, OrderPlaced>, Decider<State, OrderPaid> { initial(): never { throw 1; } evolve(): never { throw 1; } }\n`,
    names: 'or more than once',
    fix: 'once and without type parameters',
  },
  ...[
    ['a plain class', 'export class Plain { a!: string }\n', 'Plain'],
    ['a command', 'export class CreateOrder implements Command { a!: string }\n', 'CreateOrder'],
    ['a system event', 'export class Told implements SystemEvent { a!: string }\n', 'Told'],
    ['an event of svc', '', 'EventAudited'],
    ['a word', '', 'string'],
  ].map(([what, declared, name]) => ({
    code: 'SVC1803' as const,
    title: `${what} among the events`,
    source: `${events}${declared}export ${decider('/*!*/Order', `State, OrderPlaced | ${name}`)}`,
    names: `Order processes ${name}, which is not an event class`,
    fix: 'Let its class implement Event',
  })),
  ...['State, Event', 'State, never'].map((given) => ({
    code: 'SVC1804' as const,
    title: `no event in Decider<${given}>`,
    source: `${events}export ${decider('/*!*/Order', given)}`,
    names: 'Order does not declare which events it processes',
    fix: 'Write implements Decider<State, EventA | EventB>',
  })),
  {
    code: 'SVC1805',
    title: 'two deciders of one name',
    source: {
      'a.ts': `${events}export ${decider('Order')}`,
      'b.ts': `import { State, OrderPlaced } from './a.js';\nexport ${decider('/*!*/Order')}`,
    },
    names: 'src/a.ts has another decider called Order',
    fix: 'Rename one of the classes',
  },
  ...(
    [
      ['that no branch names', `${placed} ${paid} return state;`, undefined, 'OrderClosed'],
      [
        'that only a test excludes',
        `${placed} ${paid} if (!(event instanceof Date)) return state; throw 1;`,
        undefined,
        'OrderClosed',
      ],
      [
        'that no case names',
        'switch (event.constructor) { case OrderPlaced: return state; case OrderPaid: return state; default: return state; }',
        undefined,
        'OrderClosed',
      ],
      [
        'that the parameter does not accept',
        `${placed} return { a: String(event.b) };`,
        'event: OrderPlaced | OrderPaid',
        'OrderClosed',
      ],
      ['of which there are two', `${placed} return state;`, undefined, 'OrderPaid, OrderClosed'],
    ] as const
  ).map(([what, body, parameter, names]) => ({
    code: 'SVC1806' as const,
    title: `an event ${what}`,
    source: evolving(body, parameter, '/*!*/'),
    names: `Order declares ${names}, but its evolve does not handle it`,
    fix: `Add a branch such as if (event instanceof ${names.split(', ')[0]!})`,
  })),
  {
    code: 'SVC1807',
    title: 'a decider with a service',
    source: `${events}export ${decider('Order', undefined, 'constructor(/*!*/readonly clock: Date) {}')}`,
    names: 'The constructor of Order has parameters',
    fix: 'use services in the receptor',
  },
  ...['number', 'State | null', 'string[]'].map((state) => ({
    code: 'SVC1808' as const,
    title: `snapshots of a state that is ${state}`,
    source: `${events}@snapshot({ every: 9 } as never)\nexport ${decider('/*!*/Order', `${state}, OrderPlaced`)}`,
    names: 'The state of Order is ',
    fix: 'or remove @snapshot',
  })),
  {
    code: 'SVC1809',
    title: 'snapshots of a class that is no decider',
    source: `${events}@/*!*/snapshot({ every: 9 })\nexport class Order { initial(): State { throw 1; } evolve(): State { throw 1; } }\n`,
    names: 'snapshot is called on Order, which does not implement Decider',
    fix: 'Put it on an exported class that implements Decider',
  },
];

describe('an invalid decider', () => {
  testDiagnostics(cases, deciderCodes);
});

describe('evolve', () => {
  const fixture = new ServiceFixture({});
  afterAll(() => fixture[Symbol.dispose]());

  it.each([
    ['names every event', `${placed} ${paid} ${closed} return state;`],
    ['uses the last event', `${placed} ${paid} return { a: String(event.c) };`],
    ['passes the event on', 'return fold(state, event); function fold(a: State, b: object) { return b ? a : state; }'],
    [
      'has a case for every event',
      'switch (event.constructor) { case OrderPlaced: case OrderPaid: case OrderClosed: return state; default: return state; }',
    ],
    [
      'destructures what events share',
      'return { a: x };',
      '{ x }: { x: string } & (OrderPlaced | OrderPaid | OrderClosed)',
    ],
  ])('handles all events if it %s', (_what, body, parameter = 'event: OrderPlaced | OrderPaid | OrderClosed') => {
    const source = evolving(body, parameter).replaceAll('implements Event { ', 'implements Event { x!: string; ');
    fixture.replaceSources({ 'src/orders.ts': imports + source });
    const { model, diagnostics } = fixture.analyze();
    expect(diagnostics).toEqual([]);
    expect(model.deciders).toMatchObject([
      {
        name: 'Order',
        module: 'orders',
        state: null,
        events: ['OrderClosed', 'OrderPaid', 'OrderPlaced'].map((name) => ({ name })),
      },
    ]);
  });
});
