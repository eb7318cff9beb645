import { withoutLookalikes } from '../json/index.js';
import { newId, type MessageEnvelope, type MessageRegistry, type SystemEvent } from '../messages/index.js';
import { currentSecurityContext, scopeOf } from '../security/index.js';
import type { MessageRecord, OutgoingRecord } from '../storage/index.js';
import { auditDestination } from './audit-destination.js';

const noMetadata: Readonly<Record<string, unknown>> = Object.freeze({});

/**
 * A system event to queue for the system stream. Serialized at once: the emitting code may change the event afterwards. Callers choose some of its
 * texts, such as the id of a resource that they may not read. None of them must be decrypted.
 */
export function outgoingSystemEvent(
  event: SystemEvent,
  messages: MessageRegistry,
  cause?: MessageEnvelope,
  id = newId(),
): OutgoingRecord {
  const { type, write } = messages.of(event);
  return outgoingSystemMessage({
    id,
    type,
    body: messages.hasPersonal ? withoutLookalikes(write(event)) : write(event),
    timestamp: Date.now(),
    correlationId: cause?.correlationId ?? id,
    causationId: cause?.id ?? null,
    scope: cause === undefined ? scopeOf(currentSecurityContext()) : cause.scope,
    metadata: noMetadata,
  });
}

export function outgoingSystemMessage(message: MessageRecord): OutgoingRecord {
  return { id: message.id, lane: 'system', destination: auditDestination, message, note: null, eventId: null };
}
