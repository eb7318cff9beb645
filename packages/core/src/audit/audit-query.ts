import { ValidationError, type Issue } from '../errors/index.js';
import { uuid, type Uuid } from '../json/index.js';
import { indexedAuditTypes, type AuditSource } from '../storage/index.js';
import { AuditLevel } from '../system-events/index.js';
import type { AuditLevelName } from './audit-entry.js';

/** The sizes of a page of the audit. */
export const auditPageBounds = { usual: 20, most: 100 } as const;

/** Longer values are rejected: a filter is part of the token of each page. */
const longestValue = 1_000;
const mostTypes = 50;

/** Which records of the audit to return. All given conditions apply. */
export interface AuditQuery {
  /** The stream whose events the records are about, with the callers who were granted or denied access to it. */
  readonly resource?: Uuid | undefined;
  readonly tenant?: string | undefined;
  readonly user?: string | undefined;
  readonly correlation?: Uuid | undefined;
  /** The event or command that the records are about: its audit record, and its failures. */
  readonly message?: Uuid | undefined;
  /** One or several types of events, commands or system events: `orders.OrderCancelled`. */
  readonly type?: string | readonly string[] | undefined;
  /** The lowest level. Records without a level count as `Info`. */
  readonly level?: AuditLevelName | undefined;
  /** The earliest time. */
  readonly from?: Date | undefined;
  /** The time before which all records are. */
  readonly to?: Date | undefined;
  /** Default: `newest`. */
  readonly first?: 'newest' | 'oldest' | undefined;
  /** The size of the page, at most 100. Default: 20. */
  readonly limit?: number | undefined;
  /** Continues after a page: its `next`. */
  readonly after?: string | undefined;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

/** Throws a `ValidationError` with every issue of a query. */
export function requireValidQuery(query: AuditQuery): void {
  const issues = [
    ...['resource', 'correlation', 'message'].flatMap((name) => idIssues(name, query[name as 'resource'])),
    ...['tenant', 'user'].flatMap((name) => textIssues(name, query[name as 'user'])),
    ...typesOf(query).flatMap((type) => textIssues('type', type)),
    ...['from', 'to'].flatMap((name) => timeIssues(name, query[name as 'from'])),
    ...otherIssues(query),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
}

/** The requested types; empty: all. */
export function typesOf({ type }: AuditQuery): readonly string[] {
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}

/** Where the records of a query are searched for: by its most selective condition. Those of several sources are merged. */
export function sourcesOf(query: AuditQuery): readonly AuditSource[] {
  const { message, resource, correlation, user } = query;
  if (message !== undefined) return [{ kind: 'message', messageId: message }];
  if (correlation !== undefined) return [{ kind: 'correlation', correlationId: correlation }];
  if (resource !== undefined) {
    return [
      { kind: 'stream', streamId: resource },
      { kind: 'access', resourceId: resource },
    ];
  }
  if (user !== undefined) return [{ kind: 'user', userId: user }];
  const types = typesOf(query);
  if (types.length === 0 || !types.every((type) => indexedAuditTypes.includes(type))) return [{ kind: 'all' }];
  return [...new Set(types)].map((type) => ({ kind: 'type', type }));
}

function idIssues(name: string, value: unknown): Issue[] {
  return value === undefined || isId(value) ? [] : [issue(name, 'must be a UUID in lower case')];
}

/** Whether a value is an id as svc writes it. */
export function isId(value: unknown): value is Uuid {
  if (typeof value !== 'string') return false;
  try {
    return uuid(value) === value;
  } catch {
    return false;
  }
}

function textIssues(name: string, value: unknown): Issue[] {
  const isValid = value === undefined || (typeof value === 'string' && value.length <= longestValue);
  return isValid ? [] : [issue(name, `must be a string of at most ${longestValue} characters`)];
}

function timeIssues(name: string, value: Date | undefined): Issue[] {
  return value === undefined || Number.isFinite(value.getTime()) ? [] : [issue(name, 'must be a time')];
}

function otherIssues({ level, first, limit, ...query }: AuditQuery): Issue[] {
  const issues: Issue[] = [];
  if (level !== undefined && !Object.hasOwn(AuditLevel, level))
    issues.push(issue('level', `must be one of ${Object.keys(AuditLevel).join(', ')}`));
  if (first !== undefined && first !== 'newest' && first !== 'oldest')
    issues.push(issue('first', 'must be newest or oldest'));
  const { most } = auditPageBounds;
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1 || limit > most))
    issues.push(issue('limit', `must be a whole number from 1 to ${most}`));
  if (typesOf(query).length > mostTypes) issues.push(issue('type', `must have at most ${mostTypes} values`));
  return issues;
}

function issue(name: string, detail: string): Issue {
  return { pointer: `/${name}`, detail };
}
