/** In the outbox, the audit record of an event refers to the event and holds only what the event does not contain. */
import { JsonText, type Uuid } from '../json/index.js';
import { newId, type MessageEnvelope } from '../messages/index.js';
import type { EventRecord, OutgoingRecord, ParsedRecord } from '../storage/index.js';
import type { AuditAttribute } from './audit-attribute.js';
import { auditDestination } from './audit-destination.js';
import { EventAudited } from './records/audit-events.js';
import { AuditLevel } from './records/audit-level.js';

/** The audit record to queue for an event of the same unit of work. */
export function eventAuditEnvelope({ id: eventId }: MessageEnvelope, attribute: AuditAttribute): OutgoingRecord {
  return {
    id: newId(),
    lane: 'system',
    destination: auditDestination,
    message: null,
    note: noteOf(attribute),
    eventId,
  };
}

/** The full audit record of an event at its position. */
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

/** The same as parsed JSON, for an event whose body the database has already parsed. */
export function eventAuditedContent(id: Uuid, event: Omit<ParsedRecord, 'sequence'>, note: AuditNote): object {
  const { tenantId, userId } = event.scope ?? {};
  return {
    id,
    originalEventId: event.id,
    originalEventType: event.type,
    originalStreamId: event.streamId,
    originalStreamPosition: event.position,
    originalBody: event.content,
    timestamp: new Date(event.timestamp).toISOString(),
    correlationId: event.correlationId,
    auditLevel: note.auditLevel,
    ...(event.causationId !== null && { causationId: event.causationId }),
    ...(note.auditReason !== undefined && { auditReason: note.auditReason }),
    ...(typeof tenantId === 'string' && { tenantId }),
    ...(typeof userId === 'string' && { userId }),
    ...(event.scope !== null && { scope: event.scope }),
  };
}

/** The audit level and reason of an event's type, at the time of the event. */
export interface AuditNote {
  readonly auditLevel: AuditLevel;
  readonly auditReason?: string | undefined;
}

export function auditNote({ level = AuditLevel.Info, reason }: AuditAttribute): AuditNote {
  return { auditLevel: level, auditReason: reason };
}

export function readNote(text: string): AuditNote {
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
