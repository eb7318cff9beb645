/** Marks a result that did not arrive within the time limit. */
export const late: unique symbol = Symbol('late');

/** The result, or `late`. A later result or failure is ignored. */
export async function limited<T>(running: Promise<T>, limitMs: number): Promise<T | typeof late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), limitMs);
  });
  try {
    return await Promise.race([running, limit]);
  } finally {
    clearTimeout(timer);
  }
}
