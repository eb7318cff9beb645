import { expect, it } from 'vitest';
import { DeferredSignal, type Dispatcher } from '../dispatch/index.js';
import { hookUse } from './hook-use.js';
import { MutationEndpointBase } from './mutation-endpoint-base.js';
import type { MutationContext } from './mutation-context.js';

const base = { onBeforeExecute: (): void => {} };
const overridden = { onBeforeExecute: (): void => {} };

it('is unused when the class does not override it', () => {
  expect(hookUse(base, base, 'onBeforeExecute', {})).toBe('unused');
});

it('takes the signal when the generator does not list it', () => {
  expect(hookUse(overridden, base, 'onBeforeExecute', {})).toBe('with signal');
});

it('is used as the generator lists it', () => {
  expect(hookUse(overridden, base, 'onBeforeExecute', { onBeforeExecute: 'without signal' })).toBe('without signal');
});

class Greet {}

/** Its hooks note whether the signal that they see is that of the request. */
class GreetEndpoint extends MutationEndpointBase<Greet, string> {
  readonly seen: Record<string, boolean> = {};

  protected override mapRequestToCommand(request: Greet, signal: AbortSignal): Greet {
    this.seen['mapRequestToCommand'] = signal.aborted;
    return request;
  }

  protected override onBeforeExecute(_command: Greet, _context: MutationContext, signal: AbortSignal): void {
    this.seen['onBeforeExecute'] = signal.aborted;
  }

  protected override dispatchCommand(_command: Greet, signal: AbortSignal): string {
    this.seen['dispatchCommand'] = signal.aborted;
    return 'hello';
  }

  protected override onAfterExecute(_c: Greet, _r: string, _context: MutationContext, signal: AbortSignal): void {
    this.seen['onAfterExecute'] = signal.aborted;
  }
}

const seenWhenAborted = async (endpoint: GreetEndpoint): Promise<Record<string, boolean>> => {
  const cancellation = new DeferredSignal();
  // Aborted for hooks alone: an execution does not begin otherwise.
  Object.defineProperty(cancellation, 'throwIfAborted', { value: () => {} });
  cancellation.abort();
  await endpoint.handle(new Greet(), cancellation);
  return endpoint.seen;
};

const dispatcher: Dispatcher = { invoke: () => Promise.reject(new Error('not dispatched')) };

it('gives every overridden hook of an endpoint that was not generated the signal of the request', async () => {
  expect(await seenWhenAborted(new GreetEndpoint(dispatcher))).toEqual({
    mapRequestToCommand: true,
    onBeforeExecute: true,
    dispatchCommand: true,
    onAfterExecute: true,
  });
});

it('makes no signal for hooks that do not take it', async () => {
  const endpoint = new GreetEndpoint(dispatcher);
  endpoint.declareHooks({
    mapRequestToCommand: 'without signal',
    onBeforeExecute: 'without signal',
    dispatchCommand: 'with signal',
    onAfterExecute: 'without signal',
  });
  expect(await seenWhenAborted(endpoint)).toEqual({
    mapRequestToCommand: false,
    onBeforeExecute: false,
    dispatchCommand: true,
    onAfterExecute: false,
  });
});
