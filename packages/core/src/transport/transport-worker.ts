import type { Uuid } from '../json/index.js';
import { MessageSettledError, type EventLog, type StoredOutgoing } from '../storage/index.js';
import { BackgroundWorker, type Step } from '../background/index.js';
import type { ClosedDestinations } from './closed-destinations.js';

/** Publishes messages, and commits that they are; says which of them wait for closed destinations. */
export type PublishPage = (messages: readonly StoredOutgoing[]) => Promise<ReadonlySet<StoredOutgoing>>;

/** Pages are large: each waits for a confirmation of the broker's disk, and for one of our own. */
export const pageSize = 1_000;

/** A pass that has not come to the end by then is given up for the next, so that closed destinations are tried under any load. */
const longestPassMs = 300_000;

/** Takes what waits for the transport out of the outbox. */
export function transportWorker(
  log: EventLog,
  publish: PublishPage,
  closed: ClosedDestinations,
  report: (error: unknown) => void,
): BackgroundWorker {
  return new BackgroundWorker(outboxPasses(log, publish, closed), report);
}

/**
 * Takes a page for each step, in the order of the outbox and past the messages that wait for closed destinations. When it is time to try these
 * again, another pass begins with the oldest message. So what commits late on another host, in front of the last page, is not left out.
 */
export function outboxPasses(
  log: Pick<EventLog, 'readOutgoing'>,
  publish: PublishPage,
  closed: ClosedDestinations,
): Step {
  /** The last message that was left where it is; undefined: none was. */
  let after: Uuid | undefined;
  let [began, isAtEnd] = [0, true];
  return async () => {
    const now = performance.now();
    if (isAtEnd) began = now;
    // Not in the middle of a long pass: what is behind would never have its turn.
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
      // Another host was faster: what is left is read again.
      if (!(error instanceof MessageSettledError)) throw error;
    }
    return true;
  };
}
