import type { AccessControl } from '../access/index.js';
import { NotFoundError } from '../dispatch/index.js';
import type { Uuid } from '../json/index.js';
import { SystemEventStream, tenantOfEvent } from '../messages/index.js';
import { permission, ScopeFilters } from '../security/index.js';
import type { Storage, StoredRecord } from '../storage/index.js';

/** What the current actor may look at in one database: everything, or the records of its tenant. */
export class VisibleRecords {
  readonly storage: Storage;
  /** '' for records without a tenant; null: all tenants. */
  readonly tenant: string | null;
  readonly #access: AccessControl;

  private constructor(access: AccessControl, storage: Storage, tenant: string | null) {
    this.#access = access;
    this.storage = storage;
    this.tenant = tenant;
  }

  /** Throws, after it has emitted `AccessDenied`, unless the actor may look at the records of a tenant. */
  static async of(access: AccessControl, storageOf: () => Storage | Promise<Storage>): Promise<VisibleRecords> {
    const tenant = await access.authorizeSystemRead();
    return new VisibleRecords(access, await storageOf(), tenant);
  }

  /** The event with an id; null: it does not exist, or belongs to another tenant. */
  async findEvent(id: Uuid): Promise<StoredRecord | null> {
    const record = await this.storage.findEvent(id);
    if (record === null || this.tenant === null || (await this.#tenantOf(record)) === this.tenant) return record;
    await this.#access.reach.recordForeign('event', id);
    return null;
  }

  async event(id: Uuid): Promise<StoredRecord> {
    const record = await this.findEvent(id);
    if (record === null)
      throw new NotFoundError(`There is no event ${id}. Search for the id to see what it stands for.`);
    return record;
  }

  /** The tenant of a stream, '' for none; null: it does not exist, or belongs to another tenant. */
  async findStream(id: Uuid): Promise<string | null> {
    // The system stream has the records of all tenants: its auditors query the audit.
    if (id === SystemEventStream.streamId && this.tenant !== null) return null;
    const owner = await this.storage.tenantOf(id);
    if (owner === null || this.tenant === null || owner === this.tenant) return owner;
    await this.#access.reach.recordForeign('stream', id);
    return null;
  }

  async stream(id: Uuid): Promise<string> {
    const owner = await this.findStream(id);
    if (owner === null)
      throw new NotFoundError(`There is no stream ${id}. Search for the id to see what it stands for.`);
    return owner;
  }

  /** Emits that the actor has seen the content of a resource. Rejects if that fails: nothing is shown without a record. */
  async recordView(resourceType: string, resourceId?: string): Promise<void> {
    const { actor } = this.#access;
    if (actor === null) return;
    const filter = this.tenant === null ? ScopeFilters.None : ScopeFilters.Tenant;
    const resource = { resourceType, ...(resourceId !== undefined && { resourceId }) };
    await this.#access.recordGrant(actor, { requires: permission('system:read'), filter, ...resource });
  }

  async #tenantOf(record: StoredRecord): Promise<string | null> {
    const isOfSystem = record.streamId === SystemEventStream.streamId;
    return isOfSystem ? tenantOfEvent(record) : await this.storage.tenantOf(record.streamId);
  }
}
