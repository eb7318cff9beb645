import { EventAudited, type CommandAudited, type Perspective, type Uuid } from '@svc/core';

/** Who did what, one entry for each audit record; without the bodies, which the system stream has. */
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

/** Made of the events of the service itself. */
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
