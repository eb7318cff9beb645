import { expect, it } from 'vitest';
import { DeferredSignal, signalOf } from './cancellation.js';

it('hands out one real signal that aborts with it', () => {
  const deferred = new DeferredSignal();
  const { signal } = deferred;
  expect(signal).toBeInstanceOf(AbortSignal);
  expect(deferred.signal).toBe(signal);
  expect([signal.aborted, deferred.aborted]).toEqual([false, false]);
  const reason = new Error('gone');
  deferred.abort(reason);
  deferred.abort(new Error('too late'));
  expect([signal.aborted, signal.reason, deferred.aborted]).toEqual([true, reason, true]);
  expect(() => deferred.throwIfAborted()).toThrow(reason);
});

it('hands out an aborted signal when it was aborted before anybody asked', () => {
  const deferred = new DeferredSignal();
  deferred.abort();
  expect(deferred.signal.aborted).toBe(true);
  expect(deferred.signal.reason).toMatchObject({ name: 'AbortError' });
});

it('leaves a real signal as it is', () => {
  const { signal } = new AbortController();
  expect(signalOf(signal)).toBe(signal);
});
