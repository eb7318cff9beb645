import type { AccessControl } from '../access/index.js';
import { ServiceError, ValidationError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { tenantOfEvent } from '../messages/index.js';
import type { AuditedCause, Storage, StorageAudit, StoredRecord } from '../storage/index.js';
import { entryOf, hasLevel, withCause, type AuditEntry } from './audit-entry.js';
import { auditPageBounds, isId, requireValidQuery, sourcesOf, typesOf, type AuditQuery } from './audit-query.js';
import { AuditSearch } from './audit-search.js';
import { readAuditToken, writeAuditToken, type AuditPlaces } from './audit-token.js';
import { traceOf, type AuditTrace } from './audit-trace.js';

/** A page of the audit. It can have fewer entries than requested, or none, although others follow. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The `after` of the next page; null: there are no more records. */
  readonly next: string | null;
}

/** How long one page may take. */
const longestMs = 2_000;
/** How many records one step reads if conditions remain that the database does not check. */
const filteredChunk = 500;
/** How many entries of a correlation a trace has. */
const mostTraced = 1_000;

/**
 * Answers who did what, when and why, from the records in the system stream. A caller needs the permission `system:read` and sees the records of
 * its tenant. Inside `runAsHost`, and in a service without authentication, all records are visible.
 */
export class Audit {
  readonly #access: AccessControl;
  readonly #storageOf: (tenant?: string) => Storage | Promise<Storage>;

  constructor(access: AccessControl, storageOf: (tenant?: string) => Storage | Promise<Storage>) {
    this.#access = access;
    this.#storageOf = storageOf;
  }

  /**
   * A page of records, the newest first. If a search takes longer than two seconds, the page has what was found until then, and `next` continues
   * it.
   */
  async query(query: AuditQuery = {}): Promise<AuditPage> {
    requireValidQuery(query);
    const { reach } = this.#access;
    const tenant = await reach.authorizeSystemRead();
    const places = placesIn(query);
    if (tenant !== null && query.tenant !== undefined && query.tenant !== tenant) return nothing;
    const storage = await this.#storageOf(query.tenant);
    const audit = await readyAudit(storage);
    if (query.resource !== undefined && tenant !== null) {
      const owner = await storage.tenantOf(query.resource);
      if (owner !== null && owner !== tenant) {
        await reach.recordForeign('stream', query.resource);
        return nothing;
      }
    }
    return await search(audit, query, tenant ?? query.tenant ?? null, places);
  }

  /** Everything that a request caused, in all streams, as a tree: what a command or event caused is below it. At most 1,000 entries. */
  async trace(correlationId: Uuid, { signal }: Pick<AuditQuery, 'signal'> = {}): Promise<AuditTrace> {
    const entries: AuditEntry[] = [];
    let after: string | undefined;
    do {
      const asked = {
        correlation: correlationId,
        first: 'oldest',
        limit: auditPageBounds.most,
        after,
        signal,
      } as const;
      const page = await this.query(asked);
      entries.push(...page.entries);
      after = page.next ?? undefined;
    } while (after !== undefined && entries.length < mostTraced);
    return traceOf(entries.slice(0, mostTraced), after === undefined && entries.length <= mostTraced);
  }
}

const nothing: AuditPage = { entries: [], next: null };

async function readyAudit({ audit }: Storage): Promise<StorageAudit> {
  if (audit === undefined) {
    throw new ServiceError(
      'SVC_AUDIT_UNSUPPORTED',
      'The storage cannot search the audit. Use postgres, sqlite or InMemoryStorage.',
    );
  }
  if (await audit.isReady()) return audit;
  throw new ServiceError(
    'SVC_AUDIT_NOT_READY',
    'The indexes of the audit are not complete. A running service builds them in the background. Try again later.',
  );
}

function placesIn(query: AuditQuery): AuditPlaces | null {
  if (query.after === undefined) return null;
  const places = readAuditToken(query, query.after);
  if (places !== undefined) return places;
  throw new ValidationError([{ pointer: '/after', detail: 'must be the next of an earlier page of the same query' }]);
}

async function search(
  audit: StorageAudit,
  query: AuditQuery,
  tenant: string | null,
  places: AuditPlaces | null,
): Promise<AuditPage> {
  const { limit = auditPageBounds.usual, signal } = query;
  const isWanted = matcher(query, tenant);
  const range = {
    newestFirst: query.first !== 'oldest',
    from: query.from?.getTime() ?? null,
    to: query.to?.getTime() ?? null,
  };
  const chunk = isFiltered(query, tenant) ? filteredChunk : limit + 1;
  const limits = { chunk, until: performance.now() + longestMs, signal };
  const found = new AuditSearch(audit, sourcesOf(query), range, places, limits);
  const entries: AuditEntry[] = [];
  while (entries.length < limit) {
    const next = await found.next();
    if (next === null) break;
    const entry = next.record === null ? null : isWanted(next.record);
    if (entry !== null) entries.push(entry);
  }
  const hasMore = await found.hasMore();
  return { entries: await withCauses(audit, entries), next: hasMore ? writeAuditToken(query, found.places) : null };
}

/** Whether many of the records that a source returns may not be wanted. */
function isFiltered(query: AuditQuery, tenant: string | null): boolean {
  const { resource, correlation, user, level } = query;
  const conditions = [resource, correlation, user].filter((value) => value !== undefined).length;
  const isOfAll = conditions === 0 && tenant !== null;
  return typesOf(query).length > 0 || level !== undefined || conditions > 1 || isOfAll;
}

/** Returns the entry of a record, or null if the query does not want it. */
function matcher(query: AuditQuery, tenant: string | null): (record: StoredRecord) => AuditEntry | null {
  const types = new Set(typesOf(query));
  const { resource, correlation, user, level } = query;
  return (record) => {
    if (tenant !== null && tenantOfEvent(record) !== tenant) return null;
    if (correlation !== undefined && record.correlationId !== correlation) return null;
    const entry = entryOf(record);
    if (user !== undefined && entry.userId !== user) return null;
    if (resource !== undefined && entry.streamId !== resource && entry.resourceId !== resource) return null;
    if (types.size > 0 && !types.has(entry.type)) return null;
    return level === undefined || hasLevel(entry, level) ? entry : null;
  };
}

async function withCauses(audit: StorageAudit, entries: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
  const caused = entries.filter(({ cause }) => cause !== null);
  if (caused.length === 0) return entries;
  const ids = [...new Set(caused.map(({ cause }) => cause!.id))].filter(isId);
  const correlations = [...new Set(caused.map(({ correlationId }) => correlationId))];
  const found = await audit.findCauses(ids, correlations);
  const causes = new Map(found.map((cause): [string, AuditedCause] => [cause.id, cause]));
  return entries.map((entry) => withCause(entry, causes));
}
