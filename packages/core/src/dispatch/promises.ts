/** Whether a value is a promise. Other values need no `await`, which costs a turn of the microtask queue. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}

/** A resolved promise. Callers that receive exactly this one need not await it. */
export const done: Promise<void> = Promise.resolve();
