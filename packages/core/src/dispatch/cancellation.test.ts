import { describe, expect, it } from 'vitest';
import { DeferredSignal, LinkedSignal, onAbort, signalOf } from './cancellation.js';

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

it('returns the real signal of a request, and a real signal unchanged', () => {
  const deferred = new DeferredSignal();
  expect(signalOf(deferred)).toBe(deferred.signal);
  const { signal } = new AbortController();
  expect(signalOf(signal)).toBe(signal);
});

it('calls its listeners once when it aborts, except those that were removed', () => {
  const deferred = new DeferredSignal();
  const controller = new AbortController();
  const called: string[] = [];
  for (const [name, cancellation] of [
    ['request', deferred],
    ['signal', controller.signal],
  ] as const) {
    onAbort(cancellation, () => void called.push(`${name} 1`));
    onAbort(cancellation, () => void called.push(`${name} 2`));
    onAbort(cancellation, () => void called.push(`${name} removed`))();
  }
  for (const one of [deferred, controller]) {
    one.abort();
    one.abort();
  }
  expect(called).toEqual(['request 1', 'request 2', 'signal 1', 'signal 2']);
});

describe('a linked signal', () => {
  it('aborts with its source, for the same reason', () => {
    const reason = new Error('over');
    const source = new DeferredSignal();
    const [unused, listening, real] = [new LinkedSignal(source), new LinkedSignal(source), new LinkedSignal(source)];
    const called: string[] = [];
    listening.onAbort(() => void called.push('listener'));
    const { signal } = real;
    expect(real.signal).toBe(signal);
    expect([unused.aborted, listening.aborted, signal.aborted]).toEqual([false, false, false]);
    unused.throwIfAborted();
    source.abort(reason);
    expect([unused.aborted, listening.aborted, signal.aborted, signal.reason]).toEqual([true, true, true, reason]);
    expect(called).toEqual(['listener']);
    expect(() => unused.throwIfAborted()).toThrow(reason);
    expect(new LinkedSignal(source).signal.reason).toBe(reason);
  });

  it('can abort alone, and does not abort its source', () => {
    const source = new DeferredSignal();
    const linked = new LinkedSignal(source);
    const other = new LinkedSignal(source);
    linked.abort(new Error('alone'));
    expect(() => linked.throwIfAborted()).toThrow('alone');
    expect([linked.aborted, other.aborted, source.aborted]).toEqual([true, false, false]);
  });

  it('does not abort with its source after it is released', () => {
    const source = new DeferredSignal();
    const [early, late] = [new LinkedSignal(source), new LinkedSignal(source)];
    const before = early.signal;
    for (const linked of [early, late]) linked.release();
    const after = late.signal;
    source.abort();
    expect([before.aborted, after.aborted]).toEqual([false, false]);
  });
});
