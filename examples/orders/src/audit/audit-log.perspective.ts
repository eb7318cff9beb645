import { EventAudited, type CommandAudited, type Perspective, type Uuid } from '@svc/core';

/** One entry per audit record: who did what. The bodies are in the system stream only. */
export interface AuditLogEntry {
  auditId: Uuid;
  what: 'command' | 'event';
  type: string;
  /** The stream of an event. */
  streamId: string | null;
  userId: string | null;
  correlationId: string | null;
  at: Date;
}

/** Built from the system events of the service. */
export class AuditLogPerspective implements Perspective<AuditLogEntry, EventAudited | CommandAudited> {
  keyOf({ id }: EventAudited | CommandAudited): string {
    return id;
  }

  apply(_entry: AuditLogEntry | null, record: EventAudited | CommandAudited): AuditLogEntry {
    const isEvent = record instanceof EventAudited;
    return {
      auditId: record.id,
      what: isEvent ? 'event' : 'command',
      type: isEvent ? record.originalEventType : record.commandType,
      streamId: isEvent ? record.originalStreamId : null,
      userId: record.userId ?? null,
      correlationId: record.correlationId ?? null,
      at: record.timestamp,
    };
  }
}
