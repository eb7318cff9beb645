import { expect, it } from 'vitest';
import { DeferredSignal, signalOf } from './cancellation.js';

it('creates one real signal that aborts with it', () => {
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

it('creates an aborted signal if it was aborted before', () => {
  const deferred = new DeferredSignal();
  deferred.abort();
  expect(deferred.signal.aborted).toBe(true);
  expect(deferred.signal.reason).toMatchObject({ name: 'AbortError' });
});

it('returns a real signal unchanged', () => {
  const { signal } = new AbortController();
  expect(signalOf(signal)).toBe(signal);
});
