import type { AccessControl } from '../access/index.js';
import type { Uuid } from '../json/index.js';
import type { Storage } from '../storage/index.js';
import type { AuditQuery } from './audit-query.js';
import { AuditReader, requireAuditQuery, type AuditPage } from './audit-reader.js';
import { chainOf, type AuditChain } from './audit-chain.js';
import { readTrace, type AuditTrace } from './audit-trace.js';

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
    requireAuditQuery(query);
    const { reach } = this.#access;
    const tenant = await reach.authorizeSystemRead();
    if (tenant !== null && query.tenant !== undefined && query.tenant !== tenant) return nothing;
    const storage = await this.#storageOf(query.tenant);
    if (query.resource !== undefined && tenant !== null) {
      const owner = await storage.tenantOf(query.resource);
      if (owner !== null && owner !== tenant) {
        await reach.recordForeign('stream', query.resource);
        return nothing;
      }
    }
    return await new AuditReader(storage).query(query, tenant ?? query.tenant ?? null);
  }

  /** Everything that a request caused, in all streams, as a tree: what a command or event caused is below it. At most 1,000 entries. */
  async trace(correlationId: Uuid, { signal }: Pick<AuditQuery, 'signal'> = {}): Promise<AuditTrace> {
    return await readTrace((query) => this.query(query), correlationId, signal);
  }

  /** The same as a graph, with the metadata of events: where they come from. */
  async chain(correlationId: Uuid, { signal }: Pick<AuditQuery, 'signal'> = {}): Promise<AuditChain> {
    const trace = await this.trace(correlationId, { signal });
    return await chainOf(trace, await this.#storageOf());
  }
}

const nothing: AuditPage = { entries: [], next: null };
