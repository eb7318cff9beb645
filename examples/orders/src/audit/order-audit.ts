import {
  CommandAudited,
  EventAudited,
  SystemEventStream,
  type EventStore,
  type ScopeCondition,
  type Uuid,
} from '@svc/core';

/** One thing that happened to an order, or that somebody wanted done to it. */
export interface AuditEntry {
  readonly when: Date;
  /** The type of the event or command: `orders.OrderCancelled`. */
  readonly what: string;
  readonly kind: 'event' | 'command';
  readonly who: { readonly userId?: string; readonly userName?: string; readonly tenantId?: string };
  /** The reason that was given with the command. */
  readonly reason?: string;
  /** Why things of this kind are audited. */
  readonly auditReason?: string;
  readonly correlationId?: string;
}

type AuditRecord = EventAudited | CommandAudited;

/**
 * What happened to an order, in its order, from the system stream, as far as it happened in `scope`. The whole stream is read; a service
 * with much history answers this from a table made for it.
 */
export async function orderAudit(
  events: EventStore,
  orderId: Uuid,
  scope: ScopeCondition['equal'],
): Promise<AuditEntry[]> {
  const wanted = Object.entries(scope);
  const records: AuditRecord[] = [];
  for await (const { envelope } of events.readStream(SystemEventStream.streamId)) {
    const { payload } = envelope;
    if (!(payload instanceof EventAudited || payload instanceof CommandAudited)) continue;
    if (wanted.every(([name, value]) => payload.scope?.[name] === value)) records.push(payload);
  }
  const ofOrder = records.filter((record) => isAbout(record, orderId));
  // A command that creates an order does not know its id yet; its events do.
  const requests = new Set(ofOrder.map(({ correlationId }) => correlationId));
  const isOfRequest = (record: AuditRecord): boolean =>
    record instanceof CommandAudited && requests.has(record.correlationId);
  return records.filter((record) => isAbout(record, orderId) || isOfRequest(record)).map(toEntry);
}

function isAbout(record: AuditRecord, orderId: Uuid): boolean {
  return record instanceof EventAudited
    ? record.originalStreamId === orderId
    : fieldOf(record.commandBody, 'orderId') === orderId;
}

function toEntry(record: AuditRecord): AuditEntry {
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
