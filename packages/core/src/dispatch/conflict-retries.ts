/** How often a command runs again by default because another host has changed what it has read. */
export const defaultConflictRetries = 3;

/** Waits before a command runs again. The time is random, so that hosts do not collide again, and short: the other host pauses. */
export async function beforeRetry(retries: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 2 ** retries));
}
