import { MessageSettledError, type EventLog, type OutboxLane, type StoredOutgoing } from '../storage/index.js';
import { BackgroundWorker } from './background-worker.js';

/** Delivers messages, and keeps that they are delivered, as one record. */
export type Deliver = (messages: readonly StoredOutgoing[]) => void | Promise<void>;

/** What goes to a broker goes in larger batches: each waits for a confirmation of the broker's disk, and for one of our own. */
const batchSizes: Readonly<Record<OutboxLane, number>> = { system: 500, transport: 1_000 };

/** Takes the messages of one lane out of the outbox in their order, in batches. */
export function outboxWorker(
  log: EventLog,
  lane: OutboxLane,
  deliver: Deliver,
  report: (error: unknown) => void,
): BackgroundWorker {
  return new BackgroundWorker(() => deliverOldest(log, lane, deliver), report);
}

/** Delivers one batch, and says whether there was one. */
export async function deliverOldest(
  log: Pick<EventLog, 'readOutgoing'>,
  lane: OutboxLane,
  deliver: Deliver,
): Promise<boolean> {
  const messages = await log.readOutgoing(lane, batchSizes[lane]);
  if (messages.length === 0) return false;
  try {
    await deliver(messages);
  } catch (error) {
    // Somebody else was faster: what is left is read again.
    if (!(error instanceof MessageSettledError)) throw error;
  }
  return true;
}
