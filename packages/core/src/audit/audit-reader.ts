import { ServiceError, ValidationError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import type { AuditedCause, AuditSource, Storage, StorageAudit, StoredRecord } from '../storage/index.js';
import { withCause, type AuditEntry } from './audit-entry.js';
import { matcherOf, type AuditMatcher } from './audit-matcher.js';
import { auditPageBounds, isId, requireValidQuery, sourcesOf, typesOf, type AuditQuery } from './audit-query.js';
import { AuditSearch } from './audit-search.js';
import { readAuditToken, writeAuditToken, type AuditPlaces } from './audit-token.js';
import { readTrace, type AuditTrace } from './audit-trace.js';

/** A page of the audit. It can have fewer entries than requested, or none, although others follow. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** The `after` of the next page; null: there are no more records. */
  readonly next: string | null;
}

/** A record of the system stream, and what the audit says of it. */
export interface FoundRecord {
  readonly record: StoredRecord;
  readonly entry: AuditEntry;
}

/** How long one page may take. */
const longestMs = 2_000;
/** How many records one step reads if conditions remain that the database does not check. */
const filteredChunk = 500;

/** Reads the audit of one database without access control, for those who may read the database itself. */
export class AuditReader {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** A page of records. The tenant is that of the query, unless its caller sees only another one. */
  async query(query: AuditQuery, tenant: string | null = query.tenant ?? null): Promise<AuditPage> {
    requireAuditQuery(query);
    return await this.searchPage(query, matcherOf(query, tenant), tenant !== null);
  }

  /** What a request caused, as a tree. */
  async trace(correlationId: Uuid, signal?: AbortSignal): Promise<AuditTrace> {
    return await readTrace((query) => this.query(query), correlationId, signal);
  }

  /** A page of the records that a matcher accepts. */
  async searchPage(query: AuditQuery, entryIfWanted: AuditMatcher, isOfTenant: boolean): Promise<AuditPage> {
    const { limit = auditPageBounds.usual } = query;
    const found = await this.#search(query, isFiltered(query, isOfTenant) ? filteredChunk : limit + 1);
    const entries: AuditEntry[] = [];
    while (entries.length < limit) {
      const next = await found.next();
      if (next === null) break;
      const entry = next.record === null ? null : entryIfWanted(next.record);
      if (entry !== null) entries.push(entry);
    }
    const hasMore = await found.hasMore();
    return { entries: await this.withCauses(entries), next: hasMore ? writeAuditToken(query, found.places) : null };
  }

  /** At most `most` records of a query with their entries, which lack the types of their causes. */
  async records(
    query: AuditQuery,
    tenant: string | null,
    most: number,
  ): Promise<{ readonly found: readonly FoundRecord[]; readonly isComplete: boolean }> {
    const entryIfWanted = matcherOf(query, tenant);
    const search = await this.#search(query, Math.min(filteredChunk, most + 1));
    const found: FoundRecord[] = [];
    while (found.length < most) {
      const next = await search.next();
      if (next === null) break;
      const entry = next.record === null ? null : entryIfWanted(next.record);
      if (entry !== null) found.push({ record: next.record!, entry });
    }
    return { found, isComplete: !(await search.hasMore()) };
  }

  /** The same entries with the types of their causes. */
  async withCauses(entries: readonly AuditEntry[]): Promise<readonly AuditEntry[]> {
    const caused = entries.filter(({ cause }) => cause !== null);
    if (caused.length === 0) return entries;
    const ids = [...new Set(caused.map(({ cause }) => cause!.id))].filter(isId);
    const correlations = [...new Set(caused.map(({ correlationId }) => correlationId))];
    const found = await (await this.#ready([])).findCauses(ids, correlations);
    const causes = new Map(found.map((cause): [string, AuditedCause] => [cause.id, cause]));
    return entries.map((entry) => withCause(entry, causes));
  }

  async #search(query: AuditQuery, chunk: number): Promise<AuditSearch> {
    const sources = sourcesOf(query);
    const audit = await this.#ready(sources);
    const range = {
      newestFirst: query.first !== 'oldest',
      from: query.from?.getTime() ?? null,
      to: query.to?.getTime() ?? null,
    };
    const limits = { chunk, until: performance.now() + longestMs, signal: query.signal };
    return new AuditSearch(audit, sources, range, placesIn(query), limits);
  }

  async #ready(sources: readonly AuditSource[]): Promise<StorageAudit> {
    const { audit } = this.#storage;
    if (audit === undefined) {
      throw new ServiceError(
        'SVC_AUDIT_UNSUPPORTED',
        'The storage cannot search the audit. Use postgres, sqlite or InMemoryStorage.',
      );
    }
    const kinds = new Set<AuditSource['kind']>(['all', ...sources.map(({ kind }) => kind)]);
    const ready = await Promise.all([...kinds].map((kind) => audit.isReady(kind)));
    if (!ready.includes(false)) return audit;
    throw new ServiceError(
      'SVC_AUDIT_NOT_READY',
      'The indexes of the audit are not complete. A running service builds them in the background. Try again later.',
    );
  }
}

/** Throws a `ValidationError` with the issues of a query and of its `after`. */
export function requireAuditQuery(query: AuditQuery): void {
  requireValidQuery(query);
  placesIn(query);
}

function placesIn(query: AuditQuery): AuditPlaces | null {
  if (query.after === undefined) return null;
  const places = readAuditToken(query, query.after);
  if (places !== undefined) return places;
  throw new ValidationError([{ pointer: '/after', detail: 'must be the next of an earlier page of the same query' }]);
}

/** Whether many of the records that a source returns may not be wanted. */
function isFiltered(query: AuditQuery, isOfTenant: boolean): boolean {
  const { message, resource, correlation, user, level } = query;
  const conditions = [message, resource, correlation, user].filter((value) => value !== undefined).length;
  const isOfAll = conditions === 0 && isOfTenant;
  const hasOtherTypes = typesOf(query).length > 0 && sourcesOf(query).some(({ kind }) => kind !== 'type');
  return hasOtherTypes || level !== undefined || conditions > 1 || isOfAll;
}
