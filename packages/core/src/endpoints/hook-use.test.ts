import { describe, expect, it } from 'vitest';
import { hookUse, type HookUse } from './hook-use.js';

const base = (_command: unknown, _context: unknown, _signal: unknown): void => {};
const use = (hook: (...args: never[]) => unknown): HookUse => hookUse({ hook }, { hook: base }, 'hook', 2);

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

it('is unused if it is not overridden', () => expect(use(base)).toBe('unused'));

describe('gets no signal if it cannot read one', () => {
  it.each(['none', 'one', 'two', 'destructured'] as const)('%s', (name) => {
    expect(use(hooks[name])).toBe('without signal');
  });
});

describe('gets the signal if it can read it', () => {
  it.each(['three', 'rest', 'restBehind', 'defaults', 'allArguments'] as const)('%s', (name) => {
    expect(use(hooks[name])).toBe('with signal');
  });

  it('a bound function, whose source is unknown', () => {
    expect(use(hooks.none.bind(hooks))).toBe('with signal');
  });

  it('arrow functions with a rest parameter or defaults', () => {
    expect(use((...args: unknown[]) => args)).toBe('with signal');
    expect(use((a: unknown = 1) => a)).toBe('with signal');
    expect(use((a: unknown) => a)).toBe('without signal');
  });
});
