/** The targets of migration events. */
import { registry as ownRegistry } from '../../generated/registry.js';
import { MessageRegistry, type TransportPublishFilter } from '../../messages/index.js';
import type { DatedMigrationEvent, MigrationEventTarget } from '../../migrations/index.js';
import type { OutgoingRecord, StoredOutgoing } from '../../storage/index.js';
import { outgoingSystemEvent } from '../../system-events/index.js';
import { systemStreamRecord } from '../../transport/index.js';

/** Emits them to the system stream, and over the transport if the filter allows it. */
export function migrationEventsTo(
  messages: MessageRegistry,
  filter: TransportPublishFilter | null,
  queued: () => void,
): MigrationEventTarget {
  const outgoingOf = ({ event, at }: DatedMigrationEvent): OutgoingRecord => {
    const outgoing = outgoingSystemEvent(event, messages);
    return { ...outgoing, message: outgoing.message && { ...outgoing.message, timestamp: at } };
  };
  return {
    recordOf(events, way) {
      const outgoing = events.map(outgoingOf);
      return way === 'outbox'
        ? { events: [], outgoing, delivered: null, received: [] }
        : systemStreamRecord(outgoing.map(asStored), messages, filter);
    },
    queued,
  };
}

function asStored({ id, lane, destination, message, note }: OutgoingRecord): StoredOutgoing {
  return { id, lane, destination, message, note, event: null };
}

/** For a service without system events. */
export const noMigrationEvents: MigrationEventTarget = { recordOf: () => null, queued: () => {} };

/** For tools that migrate a storage without a running service: the next service delivers their events to the system stream. */
export function queuedMigrationEvents(): MigrationEventTarget {
  return migrationEventsTo(new MessageRegistry(ownRegistry.messages), null, () => {});
}
