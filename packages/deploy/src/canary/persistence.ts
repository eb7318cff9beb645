import { setTimeout as sleep } from 'node:timers/promises';
import { DeployError, messageOf } from '../deploy-error.js';

/** The platform was unreachable for longer than allowed. */
export class LostPlatformError extends Error {
  override readonly name = 'LostPlatformError';
}

/** Retries an action while the platform is unreachable, for at most `lostMs`. An action that the platform rejects is not retried. */
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
