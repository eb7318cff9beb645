import type { MigrationDatabase, MigrationSession } from './migration-database.js';
import type { MigrationSettings } from './migration-options.js';

const firstPauseMs = 25;
const longestPauseMs = 500;

/** Runs `work`; as long as somebody else's lock is in its way, tries again with pauses that grow, up to a limit. */
export async function despiteLocks<T>(
  database: MigrationDatabase,
  { lockWaitMs }: MigrationSettings,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + lockWaitMs;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!database.isLocked(error) || performance.now() >= end) throw error;
    }
    const left = Math.max(end - performance.now(), 0);
    await sleep(Math.min(pause * (0.5 + Math.random()), left), signal);
  }
}

/** Waits until nobody else has the session, however long that takes; `onWait` is called when it does not come at once. */
export async function begin(
  database: MigrationDatabase,
  name: string,
  signal: AbortSignal,
  onWait: () => void,
): Promise<MigrationSession> {
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    const session = await database.begin(name);
    if (session !== null) return session;
    onWait();
    await sleep(pause * (0.5 + Math.random()), signal);
  }
}

export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
