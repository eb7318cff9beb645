import { MessageSettledError, type EventLog, type StoredOutgoing } from '../storage/index.js';
import { BackgroundWorker } from '../background/index.js';

/** Delivers messages, and commits that they are delivered, as one record. */
export type Deliver = (messages: readonly StoredOutgoing[]) => void | Promise<void>;

/** How many messages come by here at once. */
const pageSize = 500;
/** How many messages a database appends at once by itself: they take no room in this process, and no caller waits behind them. */
export const largestBatch = 1_000;

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
export function systemStreamWorker(
  log: Pick<EventLog, 'deliverSystemEvents' | 'readOutgoing'>,
  { isWatched, deliver, appended, report }: SystemStreamWorkerOptions,
): BackgroundWorker {
  /** How many the database gets next; 0: it could not append a single one. */
  let batch = largestBatch;

  async function deliverInDatabase(): Promise<number | null> {
    const size = batch;
    if (size === 0) {
      // There is text that JSON can hold and its functions cannot read. This process can: once, then the database is asked again.
      batch = 1;
      return null;
    }
    // Bodies have no bounds, and what a database may take for one statement has: after a failure it gets less to do at once.
    batch = size === 1 ? 0 : Math.ceil(size / 4);
    const delivered = await log.deliverSystemEvents(size);
    batch = Math.min(size * 2, largestBatch);
    return delivered;
  }

  return new BackgroundWorker(async () => {
    const delivered = isWatched() ? null : await deliverInDatabase();
    if (delivered === null) return await deliverOldest(log, deliver);
    if (delivered > 0) appended();
    return delivered > 0;
  }, report);
}

/** Delivers one page, and says whether there was one. */
async function deliverOldest(log: Pick<EventLog, 'readOutgoing'>, deliver: Deliver): Promise<boolean> {
  const messages = await log.readOutgoing('system', pageSize);
  if (messages.length === 0) return false;
  try {
    await deliver(messages);
  } catch (error) {
    // Another host was faster: what is left is read again.
    if (!(error instanceof MessageSettledError)) throw error;
  }
  return true;
}
