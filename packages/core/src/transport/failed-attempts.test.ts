import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FailedAttempts } from './failed-attempts.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_000 }));
afterEach(() => void vi.useRealTimers());

it('counts the failures of each message, with the time of the first', () => {
  const failing = new FailedAttempts();
  expect(failing.count('a')).toBe(1);
  vi.setSystemTime(2_000);
  expect(failing.count('a')).toBe(2);
  expect(failing.count('b', 3)).toBe(3);
  expect(failing.of('a')).toEqual({ attempts: 2, firstFailedAt: 1_000 });
  expect(failing.of('b')).toEqual({ attempts: 3, firstFailedAt: 2_000 });
  expect(failing.of('c'), 'one that fails now for the first time').toEqual({ attempts: 0, firstFailedAt: 2_000 });
});

it('forgets messages that are processed, and no others', () => {
  const failing = new FailedAttempts();
  for (const id of ['a', 'b', 'c']) failing.count(id);
  failing.forget(['a', 'c', 'unknown']);
  expect(['a', 'b', 'c'].map((id) => failing.of(id).attempts)).toEqual([0, 1, 0]);
});

it('evicts the oldest of more than 65,536 messages', () => {
  const failing = new FailedAttempts();
  for (let i = 0; i < 65_536; i++) failing.count(String(i));
  expect(failing.of('0').attempts).toBe(1);
  failing.count('next');
  expect(['0', '1', 'next'].map((id) => failing.of(id).attempts)).toEqual([0, 1, 1]);
});
