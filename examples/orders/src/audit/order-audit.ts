import { AccessDenied, CommandAudited, EventAudited, SystemEventStream, type EventStore, type Uuid } from '@svc/core';

/** An action on an order, or an attempt. */
export interface AuditEntry {
  readonly when: Date;
  /** The type of the event or command: `orders.OrderCancelled`; for a rejected caller, `svc.AccessDenied`. */
  readonly what: string;
  readonly kind: 'event' | 'command' | 'denial';
  readonly who: { readonly userId?: string; readonly userName?: string; readonly tenantId?: string };
  /** The reason given with the command, or why the caller was rejected. */
  readonly reason?: string;
  /** Why this type is audited. */
  readonly auditReason?: string;
  readonly correlationId?: string;
}

type AuditRecord = EventAudited | CommandAudited;

/**
 * All actions and attempts on an order, oldest first, from the system stream. It reads the whole stream; a service with a long history
 * would use a perspective.
 */
export async function orderAudit(events: EventStore, orderId: Uuid): Promise<AuditEntry[]> {
  const records: (AuditRecord | AccessDenied)[] = [];
  for await (const { envelope } of events.readStream(SystemEventStream.streamId)) {
    const { payload } = envelope;
    if (payload instanceof EventAudited || payload instanceof CommandAudited) records.push(payload);
    else if (payload instanceof AccessDenied && payload.resourceId === orderId) records.push(payload);
  }
  // A command that creates an order does not know its id yet; its events do.
  const requests = new Set(
    records.filter((record) => isAbout(record, orderId)).map((record) => (record as AuditRecord).correlationId),
  );
  const isOfRequest = (record: AuditRecord | AccessDenied): boolean =>
    record instanceof CommandAudited && requests.has(record.correlationId);
  return records
    .filter((record) => record instanceof AccessDenied || isAbout(record, orderId) || isOfRequest(record))
    .map((record) => (record instanceof AccessDenied ? denial(record) : entryOf(record)));
}

function isAbout(record: AuditRecord | AccessDenied, orderId: Uuid): boolean {
  if (record instanceof EventAudited) return record.originalStreamId === orderId;
  return record instanceof CommandAudited && fieldOf(record.commandBody, 'orderId') === orderId;
}

function denial({ timestamp, scope: { userId, tenantId }, reason }: AccessDenied): AuditEntry {
  const who = { ...(userId !== undefined && { userId }), ...(tenantId !== undefined && { tenantId }) };
  return { when: timestamp, what: 'svc.AccessDenied', kind: 'denial', who, reason };
}

function entryOf(record: AuditRecord): AuditEntry {
  const { timestamp, userId, tenantId, scope, auditReason, correlationId } = record;
  const [kind, what, body] =
    record instanceof EventAudited
      ? (['event', record.originalEventType, record.originalBody] as const)
      : (['command', record.commandType, record.commandBody] as const);
  const userName = scope?.['userName'];
  const reason = fieldOf(body, 'reason');
  return {
    when: timestamp,
    what,
    kind,
    who: {
      ...(userId !== undefined && { userId }),
      ...(typeof userName === 'string' && { userName }),
      ...(tenantId !== undefined && { tenantId }),
    },
    ...(typeof reason === 'string' && { reason }),
    ...(auditReason !== undefined && { auditReason }),
    ...(correlationId !== undefined && { correlationId }),
  };
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name)
    ? (body as Record<string, unknown>)[name]
    : undefined;
}
