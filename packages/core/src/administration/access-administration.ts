import { AuditReader, type AuditEntry, type FoundRecord } from '../audit/index.js';
import { ValidationError } from '../errors/index.js';
import type { AdministrationParts } from './administration-parts.js';
import { latestAccess, type UserAccess } from './user-access.js';
import { VisibleRecords } from './visible-records.js';

export type { UserAccess } from './user-access.js';

/** Denied access in a time range, counted. */
export interface CountedDenials {
  readonly total: number;
  readonly intervalMs: number;
  /** The denials of each interval, from the beginning of the range. */
  readonly counts: readonly number[];
  readonly byUser: readonly {
    readonly userId: string | null;
    readonly tenantId: string | null;
    readonly count: number;
  }[];
  readonly byPermission: readonly { readonly permission: string; readonly count: number }[];
  readonly byResource: readonly {
    readonly resourceType: string;
    readonly resourceId: string | null;
    readonly count: number;
  }[];
  readonly newest: readonly AuditEntry[];
  /** False: there are more than were counted, before the oldest of these. */
  readonly isComplete: boolean;
}

/** The users whose roles and permissions are known. */
export interface KnownUsers {
  readonly users: readonly UserAccess[];
  /** False: there are further users, or older records. */
  readonly isComplete: boolean;
}

/** How many records are counted. One represents several denials that repeat within a minute. */
const mostDenials = 10_000;
const mostNewest = 50;
const mostOfEach = 20;
const intervals = 60;
/** How many records are searched for the access of users. */
const mostAccessRecords = 5_000;
const mostUsers = 200;

interface DeniedBody {
  readonly resourceType: string;
  readonly resourceId?: string;
  readonly requiredPermission: string;
  readonly count?: number;
}

/** Who was denied access, and who has which permissions, for operators and the auditors of tenants. */
export class AccessAdministration {
  readonly #parts: AdministrationParts;

  constructor(parts: AdministrationParts) {
    this.#parts = parts;
  }

  async denials(from: Date, to: Date, signal?: AbortSignal): Promise<CountedDenials> {
    const length = to.getTime() - from.getTime();
    if (!(length > 0)) throw new ValidationError([{ pointer: '/from', detail: 'must be a time before `to`' }]);
    const { storage, tenant } = await VisibleRecords.of(this.#parts.access, this.#parts.storageOf);
    const reader = new AuditReader(storage);
    const query = { type: 'svc.AccessDenied', from, to, signal };
    const { found, isComplete } = await reader.records(query, tenant, mostDenials);
    const intervalMs = Math.ceil(length / intervals);
    const counts = Array.from({ length: Math.ceil(length / intervalMs) }, () => 0);
    const denied = found.map(({ record, entry }) => ({ entry, body: JSON.parse(record.body) as DeniedBody }));
    for (const { entry, body } of denied) counts[intervalOf(entry.at, from, intervalMs)]! += body.count ?? 1;
    return {
      total: counts.reduce((sum, count) => sum + count, 0),
      intervalMs,
      counts,
      byUser: counted(denied, ({ entry: { userId, tenantId } }) => ({ userId, tenantId })),
      byPermission: counted(denied, ({ body }) => ({ permission: body.requiredPermission })),
      byResource: counted(denied, ({ body: { resourceType, resourceId = null } }) => ({ resourceType, resourceId })),
      newest: await reader.withCauses(found.slice(0, mostNewest).map(({ entry }) => entry)),
      isComplete,
    };
  }

  /**
   * The roles and permissions of users: those with which each last authenticated, and their last change. A user that has not authenticated since the oldest
   * record is not known.
   */
  async users(
    filter: { readonly user?: string | undefined; readonly tenant?: string | undefined } = {},
  ): Promise<KnownUsers> {
    const { storage, tenant } = await VisibleRecords.of(this.#parts.access, this.#parts.storageOf);
    const reader = new AuditReader(storage);
    const read = async (type: string): Promise<{ found: readonly FoundRecord[]; isComplete: boolean }> =>
      await reader.records({ type }, tenant ?? filter.tenant ?? null, mostAccessRecords);
    const established = await read('svc.ScopeContextEstablished');
    const changed = await read('svc.PermissionChanged');
    const users = latestAccess(established.found, changed.found).filter(
      ({ userId, tenantId }) =>
        (filter.user === undefined || userId === filter.user) &&
        (filter.tenant === undefined || tenantId === filter.tenant),
    );
    const isComplete = established.isComplete && changed.isComplete && users.length <= mostUsers;
    return { users: users.slice(0, mostUsers), isComplete };
  }
}

function intervalOf(at: Date, from: Date, intervalMs: number): number {
  return Math.floor((at.getTime() - from.getTime()) / intervalMs);
}

/** The most frequent keys. */
function counted<TKey extends object>(
  denied: readonly { readonly entry: AuditEntry; readonly body: DeniedBody }[],
  keyOf: (one: { readonly entry: AuditEntry; readonly body: DeniedBody }) => TKey,
): (TKey & { readonly count: number })[] {
  const counts = new Map<string, TKey & { count: number }>();
  for (const one of denied) {
    const key = keyOf(one);
    const name = JSON.stringify(key);
    const known = counts.get(name) ?? { ...key, count: 0 };
    known.count += one.body.count ?? 1;
    counts.set(name, known);
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count).slice(0, mostOfEach);
}
