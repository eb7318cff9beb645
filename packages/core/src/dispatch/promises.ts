/** Whether a value has to be waited for. What is there already need not be: every wait is a turn of the event loop's queue. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** The promise of what was done at once. Whoever is handed this one need not wait. */
export const done: Promise<void> = Promise.resolve();
