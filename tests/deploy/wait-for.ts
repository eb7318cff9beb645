import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition; what it last threw, or that it never held, is thrown at the limit. */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  what: string,
  limitMs = 20_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + limitMs;
  let failure: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value !== undefined && value !== null && value !== false) return value;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > end) throw new Error(`${what}: not within ${limitMs} ms`, { cause: failure });
    await sleep(20);
  }
}
