import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { detached } from './detached.js';

const current = new AsyncLocalStorage<string>();

it('runs an action without the context of its caller, also what it starts', async () => {
  const seen: unknown[] = [];
  await current.run('caller', async () => {
    await detached(async () => {
      seen.push(current.getStore());
      await turn();
      seen.push(current.getStore());
    });
    seen.push(current.getStore());
  });
  expect(seen).toEqual([undefined, undefined, 'caller']);
});

it('runs a nested action without the contexts that the outer one has entered', () => {
  const seen = detached(() =>
    current.run('outer', () => [
      current.getStore(),
      detached(() => [current.getStore(), current.run('inner', () => detached(() => current.getStore()))]),
      current.getStore(),
    ]),
  );
  expect(seen).toEqual(['outer', [undefined, undefined], 'outer']);
});

it('returns the result, and throws the error, of the action', () => {
  expect(detached(() => 7)).toBe(7);
  const failing = (): never => {
    throw new Error('no');
  };
  expect(() => current.run('caller', () => detached(failing))).toThrow('no');
  expect(current.run('caller', () => detached(() => current.getStore()))).toBeUndefined();
});
