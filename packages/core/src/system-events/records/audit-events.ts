import type { Int, Uuid } from '../../json/index.js';
import { newId, systemTagged, type SystemEvent } from '../../messages/index.js';
import { auditEvent } from '../audit-attribute.js';
import { auditTag } from '../system-tags.js';
import { AuditLevel } from './audit-level.js';

const reason = 'Audit records are not audited.';

/** Emitted when a domain event was appended. */
@auditEvent({ exclude: true, reason })
@systemTagged(auditTag)
export class EventAudited implements SystemEvent {
  /** Identifies this audit record. */
  id: Uuid = newId();
  originalEventId?: Uuid;
  originalEventType!: string;
  originalStreamId!: string;
  originalStreamPosition!: Int;
  /** The full body of the event; unbounded. */
  originalBody!: unknown;
  /** When the original event was recorded. */
  timestamp!: Date;
  tenantId?: string;
  userId?: string;
  correlationId?: string;
  /** The message that caused the original event. */
  causationId?: string;
  /** The reason in the audit attribute of the event's type. */
  auditReason?: string;
  auditLevel: AuditLevel = AuditLevel.Info;
  /** All values of the security context. */
  scope?: Record<string, string | null>;
}

/** Emitted when a receptor has processed a command. */
@auditEvent({ exclude: true, reason })
@systemTagged(auditTag)
export class CommandAudited implements SystemEvent {
  id: Uuid = newId();
  commandType!: string;
  /** The full body of the command; unbounded. */
  commandBody!: unknown;
  /** When the command was processed. */
  timestamp!: Date;
  tenantId?: string;
  userId?: string;
  /** The display name of the user, if there is one. */
  userName?: string;
  correlationId?: string;
  causationId?: string;
  auditReason?: string;
  auditLevel: AuditLevel = AuditLevel.Info;
  receptorName?: string;
  responseType?: string;
  scope?: Record<string, string | null>;
}
