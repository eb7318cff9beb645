import { describe } from 'vitest';
import { reactionCodes } from '../diagnostics/reaction-codes.js';
import { testDiagnostics, type DiagnosticCase } from './testing/diagnostic-case.js';

const events = 'export class OrderPlaced implements Event { a!: string }\n';
const reaction = (name: string, of = 'OrderPlaced'): string =>
  `class ${name} implements Reaction<${of}> { react(): void {} }\n`;

const cases: readonly DiagnosticCase[] = [
  {
    code: 'SVC1901',
    title: 'a reaction that is not exported',
    source: `${events}${reaction('/*!*/ChargeOnPlaced')}`,
    names: 'ChargeOnPlaced is a reaction but is not exported',
    fix: 'Write export class ChargeOnPlaced',
  },
  ...[
    ['a plain class', 'export class Plain { a!: string }\n', 'Plain'],
    ['an abstract class', 'export abstract class Base implements Event { a!: string }\n', 'Base'],
    ['a command', 'export class CreateOrder implements Command { a!: string }\n', 'CreateOrder'],
  ].map(([what, declared, name]) => ({
    code: 'SVC1902' as const,
    title: `a reaction to ${what} among the events`,
    source: `${events}${declared}export ${reaction('/*!*/ChargeOnPlaced', `OrderPlaced | ${name}`)}`,
    names: `ChargeOnPlaced processes ${name}, which is not an event class`,
    fix: 'Let its class implement Event',
  })),
  ...['Event', 'SystemEvent', 'never'].map((given) => ({
    code: 'SVC1903' as const,
    title: `a reaction to ${given}`,
    source: `${events}export ${reaction('/*!*/ChargeOnPlaced', given)}`,
    names: 'ChargeOnPlaced does not declare which events it processes',
    fix: 'Write implements Reaction<EventA | EventB>',
  })),
  {
    code: 'SVC1904',
    title: 'two reactions with the same name',
    source: `${events}export ${reaction('ChargeOnPlaced')}@reaction({ name: 'ChargeOnPlaced' })\nexport ${reaction('/*!*/Billing')}`,
    names: 'another reaction with the name ChargeOnPlaced',
    fix: 'Rename one of them',
  },
  {
    code: 'SVC1905',
    title: 'a reaction with a type parameter',
    source: `${events}export class /*!*/Reacting<T extends Event> implements Reaction<T> { react(): void {} }\n`,
    names: 'Reacting inherits Reaction in a way that hides its events',
    fix: 'Write implements Reaction<EventA | EventB> on Reacting itself',
  },
  {
    code: 'SVC1906',
    title: 'a decorator on a class that is no reaction',
    source: `${events}@/*!*/reaction({ from: 'now' })\nexport class Other {}\n`,
    names: '@reaction has no effect on Other, which does not implement Reaction',
    fix: 'Put it on a class that implements Reaction',
  },
  {
    code: 'SVC1906',
    title: 'a decorator on an abstract reaction',
    source: `${events}@/*!*/reaction({ from: 'now' })\nexport abstract ${reaction('Base')}`,
    names: '@reaction has no effect on Base, which is abstract',
    fix: 'Put it on a class that implements Reaction',
  },
];

describe('an invalid reaction', () => {
  testDiagnostics(cases, reactionCodes);
});
