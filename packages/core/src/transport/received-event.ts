import { claimedOriginKey, latestIdKey, originKey, SystemEventStream } from '../messages/index.js';
import type { PendingRecord } from '../storage/index.js';
import type { Admitted } from './admission.js';
import { eventScope } from './received-scope.js';
import type { ReceivedMessage } from './transport.js';

/** Converts an admitted message to an event, with its origin in the metadata. */
export type ToReceivedEvent = (message: ReceivedMessage, admitted: Admitted) => PendingRecord;

/** With `marksTenants`, an existing stream must belong to the tenant of the event. The system stream belongs to none. */
export function receivedEvents({ marksTenants: checksTenants }: { readonly marksTenants: boolean }): ToReceivedEvent {
  return (message, { origin }) => {
    const { id, type, streamId, body, timestamp, correlationId, causationId } = message;
    return {
      id,
      type,
      streamId,
      body,
      timestamp,
      correlationId,
      causationId,
      scope: eventScope(message.scope),
      metadata: withOrigin(message, origin),
      expectedPosition: undefined,
      sameTenant: checksTenants && streamId !== SystemEventStream.streamId,
    };
  };
}

/**
 * Replaces the reserved keys of the message: `origin` is the proven host, `claimedOrigin` an unproven name. The latest id of the stream comes
 * from this database.
 */
function withOrigin(
  { metadata, origin: claimedOrigin }: ReceivedMessage,
  origin: string | null,
): PendingRecord['metadata'] {
  const { [claimedOriginKey]: _claimed, [latestIdKey]: _latest, ...rest } = metadata;
  const proven = { ...rest, [originKey]: origin };
  return origin === null ? { ...proven, [claimedOriginKey]: claimedOrigin } : proven;
}
