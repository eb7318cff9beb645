import { describe } from 'vitest';
import { processCodes } from '../diagnostics/process-codes.js';
import { testDiagnostics, type DiagnosticCase } from './testing/diagnostic-case.js';

const events = 'export class OrderPlaced implements Event { a!: string }\n';
const members = 'initial() { return 0; } keyOf() { return null; } evolve(count: number) { return count; } react() {}';
const process = (name: string, of = 'OrderPlaced'): string =>
  `class ${name} implements Process<number, ${of}> { ${members} }\n`;

const cases: readonly DiagnosticCase[] = [
  {
    code: 'SVC2101',
    title: 'a process that is not exported',
    source: `${events}${process('/*!*/Checkout')}`,
    names: 'Checkout is a process but is not exported',
    fix: 'Write export class Checkout',
  },
  {
    code: 'SVC2102',
    title: 'a process with a command among the events',
    source: `${events}export class PlaceOrder implements Command { a!: string }\nexport ${process('/*!*/Checkout', 'OrderPlaced | PlaceOrder')}`,
    names: 'Checkout handles PlaceOrder, which is not an event class',
    fix: 'Let its class implement Event',
  },
  ...['Event', 'never'].map((given) => ({
    code: 'SVC2103' as const,
    title: `a process of ${given}`,
    source: `${events}export ${process('/*!*/Checkout', given)}`,
    names: 'Checkout does not declare which events it handles',
    fix: 'Write implements Process<State, EventA | EventB>',
  })),
  {
    code: 'SVC2104',
    title: 'two processes with the same name',
    source: `${events}export ${process('Checkout')}@process({ name: 'Checkout' })\nexport ${process('/*!*/Shipping')}`,
    names: 'another process or reaction with the name Checkout',
    fix: 'Rename one of them',
  },
  {
    code: 'SVC2104',
    title: 'a process with the name of a reaction',
    source: `${events}@process({ name: 'Charge' })\nexport ${process('/*!*/Checkout')}export class Charge implements Reaction<OrderPlaced> { react(): void {} }\n`,
    names: 'another process or reaction with the name Charge',
    fix: 'Rename one of them',
  },
  {
    code: 'SVC2105',
    title: 'a process with a type parameter',
    source: `${events}export ${process('/*!*/Checkout<T extends Event>', 'T')}`,
    names: 'Checkout inherits Process in a way that hides its state or events',
    fix: 'Write implements Process<State, EventA | EventB> on Checkout itself',
  },
  {
    code: 'SVC2106',
    title: 'a decorator on a class that is no process',
    source: `${events}@/*!*/process({ from: 'now' })\nexport class Other {}\n`,
    names: '@process has no effect on Other, which does not implement Process',
    fix: 'Put it on a class that implements Process',
  },
  {
    code: 'SVC2106',
    title: 'a decorator on an abstract process',
    source: `${events}@/*!*/process({ from: 'now' })\nexport abstract ${process('Base')}`,
    names: '@process has no effect on Base, which is abstract',
    fix: 'Put it on a class that implements Process',
  },
];

describe('an invalid process', () => {
  testDiagnostics(cases, processCodes);
});
