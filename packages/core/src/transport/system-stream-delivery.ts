import type { MessageRegistry, TransportPublishFilter } from '../messages/index.js';
import type { CommitRecord, EventLog, OutgoingRecord, PendingRecord, StoredOutgoing } from '../storage/index.js';
import { auditDestination, systemEventRecord } from '../system-events/index.js';
import type { Deliver } from './system-stream-worker.js';

/** Appends queued records to the system stream exactly once, and queues those for the transport that the filter allows. */
export function systemStreamDelivery(
  log: EventLog,
  messages: MessageRegistry,
  filter: TransportPublishFilter | null,
): Deliver {
  return (waiting) =>
    log.commit({
      ...systemStreamRecord(waiting, messages, filter),
      delivered: { lane: 'system', ids: waiting.map(({ id }) => id) },
    });
}

/** The commit that appends records to the system stream, and queues those for the transport that the filter allows. */
export function systemStreamRecord(
  messagesToAppend: readonly StoredOutgoing[],
  messages: MessageRegistry,
  filter: TransportPublishFilter | null,
): CommitRecord {
  const events = messagesToAppend.map(systemEventRecord);
  const outgoing = filter === null ? [] : events.filter((event) => mayLeave(event, messages, filter)).map(toTransport);
  return { events, outgoing, delivered: null, received: [] };
}

/** The filter decides by class. A record of another version may have no class here: it is not published. */
function mayLeave({ type }: PendingRecord, messages: MessageRegistry, filter: TransportPublishFilter): boolean {
  const known = messages.findType(type);
  return known !== undefined && filter.shouldPublishToTransport(known.class);
}

function toTransport(event: PendingRecord): OutgoingRecord {
  return {
    id: event.id,
    lane: 'transport',
    destination: auditDestination,
    message: null,
    note: null,
    eventId: event.id,
  };
}
