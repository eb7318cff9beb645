import { claimedOriginKey, latestIdKey, originKey, SystemEventStream } from '../messages/index.js';
import type { PendingRecord } from '../storage/index.js';
import type { Admitted } from './admission.js';
import { eventScope } from './received-scope.js';
import type { ReceivedMessage } from './transport.js';

/** The event that a message becomes, with a note of where it comes from. */
export type ToReceivedEvent = (message: ReceivedMessage, admitted: Admitted) => PendingRecord;

/** `checksTenants`: whether an existing stream must belong to the tenant of an event. The system stream belongs to none. */
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
 * `origin` is a host that was proven, `claimedOrigin` a name that was not: what the message itself has under these names is replaced. Which ids its
 * stream has is for this database to say.
 */
function withOrigin(
  { metadata, origin: claimedOrigin }: ReceivedMessage,
  origin: string | null,
): PendingRecord['metadata'] {
  const { [claimedOriginKey]: _claimed, [latestIdKey]: _latest, ...rest } = metadata;
  const proven = { ...rest, [originKey]: origin };
  return origin === null ? { ...proven, [claimedOriginKey]: claimedOrigin } : proven;
}
