/**
 * The audit of events. While it waits in the outbox, an audit record refers to its event and holds only what the event does not
 * say: it costs little beside the event, and by then the event has its position.
 */
import { JsonText, type Uuid } from '../json/index.js';
import { newId, type MessageEnvelope, type MessageRegistry } from '../messages/index.js';
import type { EventRecord, MessageRecord, OutgoingMessage, StoredRecord } from '../storage/index.js';
import type { AuditAttribute } from './audit-attribute.js';
import { auditDestination } from './audit-destination.js';
import { EventAudited } from './records/audit-events.js';
import { AuditLevel } from './records/audit-level.js';

/** The name that `EventAudited` is registered under. */
export const eventAuditedType = 'svc.EventAudited';

const noMetadata: Readonly<Record<string, unknown>> = Object.freeze({});

/** What is queued for an event that was appended to the same unit of work. */
export function eventAuditEnvelope(envelope: MessageEnvelope, attribute: AuditAttribute): OutgoingMessage {
  const id = newId();
  return {
    id,
    lane: 'system',
    destination: auditDestination,
    eventId: envelope.id,
    message: {
      id,
      type: eventAuditedType,
      body: noteOf(attribute),
      timestamp: envelope.timestamp.getTime(),
      correlationId: envelope.correlationId,
      causationId: envelope.id,
      scope: envelope.scope,
      metadata: noMetadata,
    },
  };
}

/** Everything there is to say of an event at its position. */
export function eventAudited(id: Uuid, event: EventRecord, position: number, note: AuditNote): EventAudited {
  const audited = new EventAudited();
  audited.id = id;
  audited.originalEventId = event.id;
  audited.originalEventType = event.type;
  audited.originalStreamId = event.streamId;
  audited.originalStreamPosition = position;
  audited.originalBody = new JsonText(event.body);
  audited.timestamp = new Date(event.timestamp);
  audited.correlationId = event.correlationId;
  if (event.causationId !== null) audited.causationId = event.causationId;
  audited.auditLevel = note.auditLevel;
  if (note.auditReason !== undefined) audited.auditReason = note.auditReason;
  if (event.scope !== null) {
    const { tenantId, userId } = event.scope;
    if (typeof tenantId === 'string') audited.tenantId = tenantId;
    if (typeof userId === 'string') audited.userId = userId;
    audited.scope = event.scope;
  }
  return audited;
}

/** The body of a system event that leaves the outbox: as it was written, or, for the audit of an event, put together now. */
export function systemEventBody(message: MessageRecord, event: StoredRecord | null, messages: MessageRegistry): string {
  if (event === null) return message.body;
  const audited = eventAudited(message.id, event, event.position, readNote(message.body));
  return messages.ofType(message.type).write(audited);
}

/** What the attribute of an event's type says, at the time of the event. */
export interface AuditNote {
  readonly auditLevel: AuditLevel;
  readonly auditReason?: string | undefined;
}

export function auditNote({ level = AuditLevel.Info, reason }: AuditAttribute): AuditNote {
  return { auditLevel: level, auditReason: reason };
}

function readNote(text: string): AuditNote {
  return text === plainNote ? { auditLevel: AuditLevel.Info } : (JSON.parse(text) as AuditNote);
}

const plainNote = JSON.stringify(auditNote({}));
const notes = new WeakMap<AuditAttribute, string>();

function noteOf(attribute: AuditAttribute): string {
  let note = notes.get(attribute);
  if (note === undefined) {
    note = JSON.stringify(auditNote(attribute));
    notes.set(attribute, note);
  }
  return note;
}
