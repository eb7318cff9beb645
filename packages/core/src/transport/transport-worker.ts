import type { Uuid } from '../json/index.js';
import { MessageSettledError, type EventLog, type StoredOutgoing } from '../storage/index.js';
import { BackgroundWorker } from '../background/index.js';
import type { ClosedDestinations } from './closed-destinations.js';

/** Publishes messages, and commits that. Resolves with those that wait for closed destinations. */
export type PublishPage = (messages: readonly StoredOutgoing[]) => Promise<ReadonlySet<StoredOutgoing>>;

/** Pages are large, because each waits for a disk write of the broker and of the database. */
export const pageSize = 1_000;

/** A longer pass ends early, so that closed destinations are retried under any load. */
const longestPassMs = 300_000;

/** Publishes the messages in the outbox in the background. */
export function transportWorker(
  log: EventLog,
  publish: PublishPage,
  closed: ClosedDestinations,
  report: (error: unknown) => void,
): BackgroundWorker {
  return new BackgroundWorker(outboxPasses(log, publish, closed), report);
}

/**
 * Publishes one page per step, in the order of the outbox, and skips messages that wait for closed destinations. To retry those, a new pass
 * starts at the oldest message. It also finds messages that another host committed late, before the last page.
 */
export function outboxPasses(
  log: Pick<EventLog, 'readOutgoing'>,
  publish: PublishPage,
  closed: ClosedDestinations,
): () => Promise<boolean | number> {
  /** The last skipped message; undefined: none. */
  let after: Uuid | undefined;
  let [began, isAtEnd] = [0, true];
  return async () => {
    const now = performance.now();
    if (isAtEnd) began = now;
    // Not during a long pass: later messages would never be published.
    if (closed.retryInMs === 0 && (isAtEnd || now - began > longestPassMs)) {
      after = undefined;
      began = now;
      closed.beginPass();
    }
    const page = closed.isFull ? [] : await log.readOutgoing('transport', pageSize, after);
    isAtEnd = page.length < pageSize;
    if (page.length === 0) return closed.retryInMs ?? false;
    try {
      const left = await publish(page);
      after = page.findLast((message) => left.has(message))?.id ?? after;
    } catch (error) {
      // Another host was faster: the next step reads the rest.
      if (!(error instanceof MessageSettledError)) throw error;
    }
    return true;
  };
}
