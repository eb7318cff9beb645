/** How an action ended. */
export type Ending = { readonly error: unknown } | null;

/** Runs an action and reports once how it ended. Its result or error is passed through. */
export function observe<T>(action: () => T, ended: (failure: Ending, result?: Awaited<T>) => void): T {
  let result: T;
  try {
    result = action();
  } catch (error) {
    ended({ error });
    throw error;
  }
  if (!(result instanceof Promise)) {
    ended(null, result as Awaited<T>);
    return result;
  }
  return result.then(
    (value: Awaited<T>) => {
      ended(null, value);
      return value;
    },
    (error: unknown) => {
      ended({ error });
      throw error;
    },
  ) as T;
}
