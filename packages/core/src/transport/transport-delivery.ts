import type { EventLog, StoredOutgoing } from '../storage/index.js';
import type { Deliver } from './outbox-worker.js';
import type { Transport, TransportMessage } from './transport.js';

/** Publishes what waits in the outbox. What was published and not noted as such is published again; receivers know it by its id. */
export function transportDelivery(log: EventLog, transport: Transport, origin: string): Deliver {
  return async (waiting) => {
    await transport.publish(waiting.map((outgoing) => toMessage(outgoing, origin)));
    await log.commit({
      events: [],
      outgoing: [],
      delivered: { lane: 'transport', ids: waiting.map(({ id }) => id) },
      received: [],
    });
  };
}

function toMessage({ destination, event }: StoredOutgoing, origin: string): TransportMessage {
  const { id, type, streamId, body, timestamp, correlationId, causationId, scope, metadata } = event!;
  return { id, type, streamId, body, timestamp, correlationId, causationId, scope, metadata, destination, origin };
}
