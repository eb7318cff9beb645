import { MessageSettledError, type EventLog, type StoredOutgoing } from '../storage/index.js';
import { BackgroundWorker } from '../background/index.js';

/** Delivers messages, and records that in the same commit. */
export type Deliver = (messages: readonly StoredOutgoing[]) => void | Promise<void>;

/** How many messages this process delivers at once. */
const pageSize = 500;
/** How many messages the database appends at once: they use no memory here, and block no caller. */
export const largestBatch = 1_000;

/** Options of `systemStreamWorker`. */
export interface SystemStreamWorkerOptions {
  /** Whether a hook or a transport of this process needs the appended records. Then this process delivers them. */
  readonly isWatched: () => boolean;
  /** Delivers records in this process. */
  readonly deliver: Deliver;
  /** Called when the database has appended records by itself. */
  readonly appended: () => void;
  readonly report: (error: unknown) => void;
}

/** `delivered`: how many records the database has appended; null: it could not. `isAll`: whether no other one waits. */
interface DeliveredBatch {
  readonly delivered: number | null;
  readonly isAll: boolean;
}

const notInDatabase: DeliveredBatch = { delivered: null, isAll: true };

/** Moves records from the outbox to the system stream: inside the database if possible and not watched, otherwise in this process. */
export function systemStreamWorker(
  log: Pick<EventLog, 'deliverSystemEvents' | 'readOutgoing'>,
  { isWatched, deliver, appended, report }: SystemStreamWorkerOptions,
): BackgroundWorker {
  /** The size of the next batch for the database; 0: it could not append a single record. */
  let batch = largestBatch;

  async function deliverInDatabase(): Promise<DeliveredBatch> {
    const size = batch;
    if (size === 0) {
      // JSON can contain text that the functions of the database cannot read. This process delivers it, then the database continues.
      batch = 1;
      return { delivered: null, isAll: false };
    }
    // Bodies are unbounded, but statements are not: after a failure the next batch is smaller.
    batch = size === 1 ? 0 : Math.ceil(size / 4);
    const delivered = await log.deliverSystemEvents(size);
    batch = Math.min(size * 2, largestBatch);
    return { delivered, isAll: delivered === null || delivered < size };
  }

  return new BackgroundWorker(async () => {
    const { delivered, isAll } = isWatched() ? notInDatabase : await deliverInDatabase();
    if (delivered === null) return (await deliverOldest(log, deliver)) || !isAll;
    if (delivered > 0) appended();
    return !isAll;
  }, report);
}

/** Delivers one page; resolves with whether there may be another one. */
async function deliverOldest(log: Pick<EventLog, 'readOutgoing'>, deliver: Deliver): Promise<boolean> {
  const messages = await log.readOutgoing('system', pageSize);
  if (messages.length === 0) return false;
  try {
    await deliver(messages);
  } catch (error) {
    // Another host was faster: the next step reads the rest.
    if (!(error instanceof MessageSettledError)) throw error;
    return true;
  }
  return messages.length === pageSize;
}
