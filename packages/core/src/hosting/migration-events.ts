/** Where the events of migrations go. */
import { registry as ownRegistry } from '../generated/registry.js';
import { MessageRegistry, type TransportPublishFilter } from '../messages/index.js';
import type { DatedMigrationEvent, MigrationEventTarget } from '../migrations/index.js';
import type { StoredOutgoing } from '../storage/index.js';
import { outgoingSystemEvent } from '../system-events/index.js';
import { systemStreamRecord } from '../transport/index.js';

/** To the system stream; and to the transport, when there is one and the filter lets them. */
export function migrationEventsTo(
  messages: MessageRegistry,
  filter: TransportPublishFilter | null,
  queued: () => void,
): MigrationEventTarget {
  const outgoingOf = ({ event, at }: DatedMigrationEvent): StoredOutgoing => {
    const { id, lane, destination, message, note } = outgoingSystemEvent(event, messages);
    return { id, lane, destination, message: message && { ...message, timestamp: at }, note, event: null };
  };
  return {
    recordOf(events, way) {
      const all = events.map(outgoingOf);
      if (way === 'stream') return systemStreamRecord(all, messages, filter);
      const outgoing = all.map(({ event: _none, ...one }) => ({ ...one, eventId: null }));
      return { events: [], outgoing, delivered: null, received: [] };
    },
    queued,
  };
}

/** For a service without system events. */
export const noMigrationEvents: MigrationEventTarget = { recordOf: () => null, queued: () => {} };

/** For tools that migrate a storage while no service of theirs runs: the next service takes their events to the system stream. */
export function queuedMigrationEvents(): MigrationEventTarget {
  return migrationEventsTo(new MessageRegistry(ownRegistry.messages), null, () => {});
}
