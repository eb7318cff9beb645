import { permission, ScopeFilters } from '../security/index.js';
import { ValidationError, type Issue } from '../errors/index.js';
import type { Gate } from '../access/index.js';
import type { Uuid } from '../json/index.js';
import type { AuditLevelName } from './audit-entry.js';
import { isId, requireValidQuery, type AuditQuery } from './audit-query.js';

/** How callers query the audit. Null: not over this protocol. */
export interface ServedAudit {
  readonly route: string | null;
  readonly graphQLQuery: string | null;
}

/** The parameters of an audit query over HTTP, by their names; absent or null: not given. */
type AuditParameters = Readonly<Record<string, unknown>>;

/** The parameters of an audit query. */
const auditParameters = [
  'resource',
  'tenant',
  'user',
  'correlation',
  'message',
  'type',
  'level',
  'from',
  'to',
  'first',
  'limit',
  'after',
] as const;

/** Reads the parameters of a caller. Throws a `ValidationError` with every issue. */
export function readAuditQuery(parameters: AuditParameters, signal?: AbortSignal): AuditQuery {
  const issues: Issue[] = [];
  const known: ReadonlySet<string> = new Set(auditParameters);
  for (const name of Object.keys(parameters)) {
    if (!known.has(name))
      issues.push({
        pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        detail: 'is not a known parameter',
      });
  }
  const text = (name: (typeof auditParameters)[number]): string | undefined => {
    const value = parameters[name] ?? undefined;
    if (value === undefined || typeof value === 'string') return value;
    issues.push({ pointer: `/${name}`, detail: 'must occur only once' });
    return undefined;
  };
  const limit = parameters['limit'] ?? undefined;
  const query: AuditQuery = {
    resource: text('resource') as Uuid | undefined,
    tenant: text('tenant'),
    user: text('user'),
    correlation: text('correlation') as Uuid | undefined,
    message: text('message') as Uuid | undefined,
    type: (parameters['type'] ?? undefined) as AuditQuery['type'],
    level: text('level') as AuditLevelName | undefined,
    from: timeOf(text('from')),
    to: timeOf(text('to')),
    first: text('first') as AuditQuery['first'],
    limit: limit === undefined ? undefined : numberOf(limit),
    after: text('after'),
    signal,
  };
  try {
    requireValidQuery(query);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    issues.push(...error.issues);
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return query;
}

/** Who may query the audit. What a caller reads is recorded, with the resource that it asked for. */
export function auditGate(resource: unknown): Gate {
  return {
    requires: permission('system:read'),
    allowAnonymous: false,
    resourceType: 'audit',
    ...(isId(resource) && { resourceId: resource }),
    filter: ScopeFilters.Tenant,
    recordGrant: true,
  };
}

const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** An invalid date if the text is not a date, or a time with an offset. */
function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  return new Date(time.test(text) ? text : NaN);
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^[1-9]\d{0,6}$/.test(value) ? Number(value) : NaN;
}
