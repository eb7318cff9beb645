import type { MigrationDatabase, MigrationSession } from './migration-database.js';
import type { MigrationSettings } from './migration-options.js';

const firstPauseMs = 25;
const longestPauseMs = 500;

/** Runs `work`, and retries it with growing delays while another transaction holds a lock it needs, up to a limit. */
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

/** Starts a session, and waits without a limit while another process holds it; `onWait` is called if it must wait. */
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
