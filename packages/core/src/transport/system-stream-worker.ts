import type { EventLog } from '../storage/index.js';
import { BackgroundWorker } from './background-worker.js';
import { deliverOldest, type Deliver } from './outbox-worker.js';

/** How many messages a database appends at once by itself: they take no room in this process, and no caller waits behind them. */
const largestBatch = 1_000;

export interface SystemStreamWorkerOptions {
  /** Whether somebody in this process looks at what is appended: a hook, or a transport that it goes to. Then it comes by here. */
  readonly isWatched: () => boolean;
  /** Delivers what comes by here. */
  readonly deliver: Deliver;
  /** Told when something was appended that did not come by here. */
  readonly appended: () => void;
  readonly report: (error: unknown) => void;
}

/** Takes what waits for the system stream there: within the database where it can and nobody looks, otherwise by way of this process. */
export function systemStreamWorker(log: EventLog, options: SystemStreamWorkerOptions): BackgroundWorker {
  const { isWatched, deliver, appended, report } = options;
  return new BackgroundWorker(async () => {
    const delivered = isWatched() ? null : await log.deliverSystemEvents(largestBatch);
    if (delivered === null) return await deliverOldest(log, 'system', deliver);
    if (delivered > 0) appended();
    // What is kept from now on wakes the worker again.
    return delivered === largestBatch;
  }, report);
}
