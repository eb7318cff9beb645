import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { inStep } from './in-step.js';

afterEach(() => void vi.useRealTimers());

it('runs the actions of one turn together and in order at its end', async () => {
  const calls: string[] = [];
  for (const name of ['a', 'b']) {
    inStep(() => {
      calls.push(`${name} begins`);
      queueMicrotask(() => calls.push(`${name} goes on`));
    });
  }
  await Promise.resolve();
  expect(calls).toEqual([]);
  await nextTurn();
  expect(calls).toEqual(['a begins', 'b begins', 'a goes on', 'b goes on']);
});

it('yields to the process between batches of actions', async () => {
  let run = 0;
  for (let i = 0; i < 150; i++) inStep(() => run++);
  await nextTurn();
  expect(run).toBe(64);
  await nextTurn();
  await nextTurn();
  expect(run).toBe(150);
});

it('runs each action in its asynchronous context', async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const look = async (): Promise<void> => {
    seen.push(storage.getStore());
    await Promise.resolve();
    seen.push(storage.getStore());
  };
  for (const name of ['a', 'b']) storage.run(name, () => inStep(() => void look()));
  inStep(() => void look());
  await nextTurn();
  expect(seen).toEqual(['a', 'b', undefined, 'a', 'b', undefined]);
});

it('runs the other actions if one throws, and leaves the error uncaught', async () => {
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  const uncaught: unknown[] = [];
  process.on('uncaughtException', (error) => uncaught.push(error));
  try {
    const error = new Error('broken');
    let run = 0;
    inStep(() => {
      throw error;
    });
    inStep(() => run++);
    await nextTurn();
    await nextTurn();
    expect(run).toBe(1);
    expect(uncaught).toEqual([error]);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of others) process.on('uncaughtException', listener);
  }
});

it('runs with a replaced clock', async () => {
  vi.useFakeTimers();
  const run = vi.fn<() => void>();
  inStep(run);
  await nextTurn();
  expect(run).toHaveBeenCalledOnce();
});
