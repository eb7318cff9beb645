import type { EventLog } from '../log/event-log.js';
import { InMemoryPerspectives } from '../memory/in-memory-perspectives.js';
import type { PerspectiveStorage } from '../models/perspective-storage.js';
import type { OutgoingRecord } from '../outgoing-record.js';

/** The capability of a storage; without it, models are held in memory and replayed from the log at each start. */
export function perspectivesOf(
  { perspectives }: { readonly perspectives?: PerspectiveStorage },
  log: EventLog,
  report: (error: unknown) => void,
): PerspectiveStorage {
  if (perspectives !== undefined) return perspectives;
  const commit = async (outgoing: readonly OutgoingRecord[]): Promise<void> =>
    await log.commit({ events: [], outgoing, delivered: null, received: [] });
  return new InMemoryPerspectives({
    // Models in memory and the outbox of a database share no transaction.
    queue: (outgoing) => void commit(outgoing).catch(report),
    readAfter: (sequence) => log.readRecords(sequence),
  });
}
