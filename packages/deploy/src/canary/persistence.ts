import { setTimeout as sleep } from 'node:timers/promises';
import { DeployError, messageOf } from '../deploy-error.js';

/** The platform was out of reach for longer than allowed. */
export class LostPlatformError extends Error {
  override readonly name = 'LostPlatformError';
}

/** Repeats what fails because the platform cannot be reached, until `lostMs` are over. What the platform refuses is not repeated. */
export async function persist<T>(
  action: () => Promise<T>,
  { lostMs, pollMs }: { lostMs: number; pollMs: number },
  onLost: (error: string) => void,
  signal?: AbortSignal,
): Promise<T> {
  const end = Date.now() + lostMs;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof DeployError) || error.code !== 'unreachable') throw error;
      if (Date.now() >= end) throw new LostPlatformError(messageOf(error), { cause: error });
      onLost(messageOf(error));
    }
    signal?.throwIfAborted();
    await sleep(Math.min(pollMs, 1000), undefined, signal === undefined ? {} : { signal });
  }
}
