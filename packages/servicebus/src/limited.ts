/** Stands for a result that did not come in time. */
export const late: unique symbol = Symbol('late');

/** The result, or that it is late. What comes of it later, also a failure, is nobody's business any more. */
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
