import { describe, expect, it } from 'vitest';
import { hookUse } from './hook-use.js';

const base = (_command: unknown, _context: unknown, _signal: unknown): void => {};
const position = 2;

class Hooks {
  none(): void {}
  one(_command: unknown): void {}
  async two(_command: unknown, _context: unknown): Promise<void> {}
  three(_command: unknown, _context: unknown, _signal: unknown): void {}
  rest(...args: unknown[]): unknown {
    return args;
  }
  restBehind(_command: unknown, ...args: unknown[]): unknown {
    return args;
  }
  defaults(_command: unknown, _context: unknown = 1, _signal: unknown = 2): void {}
  allArguments(): unknown {
    // oxlint-disable-next-line prefer-rest-params
    return arguments;
  }
  destructured({ a }: { a: number }): number {
    return a;
  }
}
const hooks = new Hooks();

it('is unused when nobody overrides it', () => expect(hookUse(base, base, position)).toBe('unused'));

describe('gets no signal when it cannot see one', () => {
  it.each(['none', 'one', 'two', 'destructured'] as const)('%s', (name) => {
    expect(hookUse(hooks[name], base, position)).toBe('without signal');
  });
});

describe('gets the signal when it may see it', () => {
  it.each(['three', 'rest', 'restBehind', 'defaults', 'allArguments'] as const)('%s', (name) => {
    expect(hookUse(hooks[name], base, position)).toBe('with signal');
  });

  it('a bound function, whose source is not known', () => {
    expect(hookUse(hooks.none.bind(hooks), base, position)).toBe('with signal');
  });

  it('arrow functions with a rest or defaults', () => {
    expect(hookUse((...args: unknown[]) => args, base, position)).toBe('with signal');
    expect(hookUse((a: unknown = 1) => a, base, position)).toBe('with signal');
    expect(hookUse((a: unknown) => a, base, position)).toBe('without signal');
  });
});
