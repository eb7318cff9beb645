import type { CommandObserver } from '../../dispatch/index.js';
import { isRejection } from '../../errors/index.js';
import { MessageSettledError, type CommandCounts } from '../../storage/index.js';
import { bucketOf } from './duration-buckets.js';

/** Counts the commands of a host in one database. */
export class CommandMeter implements CommandObserver {
  #commands = 0;
  #rejected = 0;
  #failed = 0;
  #durations: Record<string, number> = {};

  succeeded(ms: number): void {
    this.#commands++;
    const bucket = bucketOf(ms);
    this.#durations[bucket] = (this.#durations[bucket] ?? 0) + 1;
  }

  failed(ms: number, error: unknown): void {
    this.succeeded(ms);
    if (isNoFault(error)) this.#rejected++;
    else this.#failed++;
  }

  /** What was counted since the last call. */
  take(): CommandCounts {
    const taken = {
      commands: this.#commands,
      rejected: this.#rejected,
      failed: this.#failed,
      durations: this.#durations,
    };
    this.#commands = 0;
    this.#rejected = 0;
    this.#failed = 0;
    this.#durations = {};
    return taken;
  }
}

/** Whether the request was rejected, its caller has cancelled it, or its message was already processed. */
function isNoFault(error: unknown): boolean {
  if (isRejection(error) || error instanceof MessageSettledError) return true;
  return error instanceof Error && error.name === 'AbortError';
}
