import type { Uuid } from '../json/index.js';
import type { AuditedCause, StoredRecord } from '../storage/index.js';
import { AuditLevel } from '../system-events/index.js';

/** The name of an audit level. */
export type AuditLevelName = keyof typeof AuditLevel;

/** What an entry of the audit is about. `system`: any other system event. */
export type AuditKind = 'event' | 'command' | 'denial' | 'grant' | 'failure' | 'system';

/** The message that caused another one. */
export interface AuditCause {
  readonly id: string;
  /** Null: it was not audited, or belongs to another host. */
  readonly kind: 'command' | 'event' | null;
  readonly type: string | null;
}

/** One record of the audit: what happened, who did it, when, why, with which result, and what caused it. */
export interface AuditEntry {
  /** The id of the audit record. */
  readonly id: Uuid;
  readonly kind: AuditKind;
  /** The type of the event or command; of another system event, its own: `svc.AccessDenied`. */
  readonly type: string;
  /** The id of the event or command. */
  readonly messageId: string | null;
  /** The stream of an event, and its position there. */
  readonly streamId: string | null;
  readonly position: number | null;
  /**
   * What a system event is about: the operation and its target, the erased subject, or the receptor, perspective or reaction and its message. Null
   * for the records of events, commands and access, which have other properties for it.
   */
  readonly about: string | null;
  /** What access was requested to. */
  readonly resourceType: string | null;
  readonly resourceId: string | null;
  readonly at: Date;
  readonly userId: string | null;
  readonly userName: string | null;
  readonly tenantId: string | null;
  /** The tenant of a platform operator who acted for `tenantId`. */
  readonly homeTenantId: string | null;
  readonly roles: readonly string[];
  /** Null for records that have none. */
  readonly level: AuditLevelName | null;
  /** The `reason` in the event or command, why access was denied, or the error of a failure. */
  readonly reason: string | null;
  /** Why the type is audited. */
  readonly auditReason: string | null;
  readonly result: 'succeeded' | 'denied' | 'granted' | 'failed';
  /** The type of the response to a command. */
  readonly responseType: string | null;
  readonly correlationId: Uuid;
  readonly cause: AuditCause | null;
}

type Body = Readonly<Record<string, unknown>>;

const levelNames = Object.keys(AuditLevel) as readonly AuditLevelName[];

/** The entry of a record of the system stream. The type of its cause is not known yet. */
export function entryOf(record: StoredRecord): AuditEntry {
  const body = JSON.parse(record.body) as Body;
  return { ...commonOf(record, body), ...specificOf(record, body) };
}

/** The same entry with what is known of its cause. */
export function withCause(entry: AuditEntry, causes: ReadonlyMap<string, AuditedCause>): AuditEntry {
  const found = entry.cause === null ? undefined : causes.get(entry.cause.id);
  if (found === undefined) return entry;
  const { id, kind, type } = found;
  return { ...entry, cause: { id, kind, type } };
}

/** Whether an entry has at least this level. Records without a level count as `Info`. */
export function hasLevel({ level }: AuditEntry, least: AuditLevelName): boolean {
  return AuditLevel[level ?? 'Info'] >= AuditLevel[least];
}

function commonOf({ id, type, timestamp, correlationId, causationId, scope }: StoredRecord, body: Body): AuditEntry {
  const ofScope = (name: string): string | null => scope?.[name] ?? null;
  return {
    id,
    kind: 'system',
    type,
    messageId: textOf(body, 'messageId'),
    streamId: textOf(body, 'streamId'),
    position: null,
    about: aboutOf(body),
    resourceType: textOf(body, 'resourceType'),
    resourceId: textOf(body, 'resourceId'),
    at: new Date(timestamp),
    userId: ofScope('userId'),
    userName: ofScope('userName'),
    tenantId: ofScope('tenantId'),
    homeTenantId: ofScope('homeTenantId'),
    roles: ofScope('roles')?.split(',') ?? [],
    level: levelNames.find((name) => AuditLevel[name] === body['auditLevel']) ?? null,
    reason: textOf(body, 'reason'),
    auditReason: textOf(body, 'auditReason'),
    result: 'succeeded',
    responseType: textOf(body, 'responseType'),
    correlationId,
    cause: causeOf(causationId),
  };
}

function specificOf({ type, causationId }: StoredRecord, body: Body): Partial<AuditEntry> {
  switch (type) {
    case 'svc.EventAudited':
      return {
        kind: 'event',
        about: null,
        type: textOf(body, 'originalEventType')!,
        messageId: textOf(body, 'originalEventId'),
        streamId: textOf(body, 'originalStreamId'),
        position: body['originalStreamPosition'] as number,
        reason: textOf(body['originalBody'], 'reason'),
        cause: causeOf(textOf(body, 'causationId')),
      };
    case 'svc.CommandAudited':
      return {
        kind: 'command',
        about: null,
        type: textOf(body, 'commandType')!,
        messageId: causationId,
        reason: textOf(body['commandBody'], 'reason'),
        cause: causeOf(textOf(body, 'causationId')),
      };
    case 'svc.AccessDenied':
    case 'svc.AuthenticationFailed':
      return { kind: 'denial', result: 'denied' };
    case 'svc.AccessGranted':
      return { kind: 'grant', result: 'granted' };
    case 'svc.OperationStarted':
      return { reason: textOf(body['arguments'], 'reason') };
    case 'svc.OperationEnded':
      return body['outcome'] === 'done' ? {} : { kind: 'failure', result: 'failed', reason: textOf(body, 'error') };
    default: {
      const reason = failureOf(body);
      return reason === null ? {} : { kind: 'failure', result: 'failed', reason };
    }
  }
}

/** The error of a record of a failure; null: it records something else. */
function failureOf(body: Body): string | null {
  const name = textOf(body, 'errorName');
  return name === null ? textOf(body, 'error') : `${name}: ${textOf(body, 'errorMessage') ?? ''}`;
}

/** The properties of system events that name what they are about, in the order in which they are shown. */
const naming = [
  'kind',
  'target',
  'subject',
  'receptorName',
  'perspectiveName',
  'perspectiveNames',
  'reactionName',
  'messageType',
  'migrationKey',
  'deadLetterId',
  'userId',
  'tenantId',
  'database',
  'source',
  'scheme',
  'libraryVersion',
  'number',
] as const;

function aboutOf(body: Body): string | null {
  const named = naming.flatMap((name) => body[name]);
  const shown = named.filter((value) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  return shown.length === 0 ? null : shown.join(' ');
}

function causeOf(id: string | null): AuditCause | null {
  return id === null ? null : { id, kind: null, type: null };
}

function textOf(value: unknown, name: string): string | null {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null;
  const found = (value as Body)[name];
  return typeof found === 'string' ? found : null;
}
