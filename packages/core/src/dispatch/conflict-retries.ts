/** How often a command runs again by default because another host has changed what it has read. */
export const defaultConflictRetries = 3;

const firstMs = 5;

/** Waits before a command runs again. The time is random, so that hosts do not collide again. */
export async function beforeRetry(retries: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * firstMs * 2 ** retries));
}
