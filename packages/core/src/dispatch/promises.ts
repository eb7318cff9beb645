/** Whether a value has to be waited for. What is there already need not be: every wait is a turn of the event loop's queue. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** The promise of what was done at once. Whoever is handed this one need not wait. */
export const done: Promise<void> = Promise.resolve();

/** Does something that is done at once where it can be; what it throws is told by the promise. */
export function promised(action: () => void | Promise<void>): Promise<void> {
  try {
    return action() ?? done;
  } catch (error) {
    return Promise.reject(error);
  }
}
