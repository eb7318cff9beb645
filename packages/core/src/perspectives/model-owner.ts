import { createHash } from 'node:crypto';
import { tenantOfEvent, type TenantBearer } from '../messages/index.js';
import { scopeOfValues, ScopeFilters, type PerspectiveScope } from '../security/index.js';
import { modelIdOf, ownerSeparator, type ModelRecord, type OwnerCondition } from '../storage/index.js';

type OwnerName = 'tenantId' | 'organizationId' | 'customerId' | 'userId';

const flagOf: Readonly<Record<OwnerName, number>> = {
  tenantId: ScopeFilters.Tenant,
  organizationId: ScopeFilters.Organization,
  customerId: ScopeFilters.Customer,
  userId: ScopeFilters.User,
};

/** Owners are in every index of a table. PostgreSQL's limit of 2,704 bytes leaves this much after an indexed value and a key. */
export const longestOwnerBytes = 64;
const hashed = 'sha256:';

/**
 * The owners of a perspective's models. The scope values that a perspective filters by also distinguish its models: the same key in two tenants
 * is two models. User together with Principal does not, because several users may then see one model.
 */
export class ModelOwners {
  readonly #names: readonly OwnerName[];

  constructor(filters: ScopeFilters) {
    const isShared = (filters & ScopeFilters.Principal) !== 0;
    this.#names = (Object.keys(flagOf) as OwnerName[]).filter(
      (name) => (filters & flagOf[name]) !== 0 && !(isShared && name === 'userId'),
    );
  }

  /** Whether the same key in two tenants is two models. */
  get separateTenants(): boolean {
    return this.#names.includes('tenantId');
  }

  /** The owner of the model that an event belongs to. */
  ofEvent(event: TenantBearer): string {
    return this.#ownerOf((name) => (name === 'tenantId' ? tenantOfEvent(event) : (event.scope?.[name] ?? '')));
  }

  /** The owner that a scope of a caller or the host selects. */
  ofScope(scope: PerspectiveScope): string {
    return this.#ownerOf((name) => scope[name] ?? '');
  }

  /** The owner of a stored model. Computed from its scope, because `keyed` tables have no column for it. */
  ofModel({ scope }: Pick<ModelRecord, 'scope'>): string {
    return this.ofScope(scope === null ? {} : scopeOfValues(scope));
  }

  /** The condition for models that are visible in a scope. */
  condition(scope: PerspectiveScope): OwnerCondition {
    const values = this.#names.map((name) => [name, scope[name] ?? null] as const);
    return { owner: this.ofScope(scope), values: Object.fromEntries(values) };
  }

  /** The id of the model with a key. */
  idOf(key: string, owner: string): string {
    return this.#names.length === 0 ? key : modelIdOf(key, owner);
  }

  #ownerOf(valueOf: (name: OwnerName) => string): string {
    const [first] = this.#names;
    if (first === undefined) return '';
    if (this.#names.length === 1) return bounded(valueOf(first));
    const values = this.#names.map(valueOf);
    return values.every((value) => value === '') ? '' : bounded(JSON.stringify(values));
  }
}

/** A string that fits in every index. Long ones are hashed with a collision-resistant hash. */
function bounded(owner: string): string {
  const isShort = owner.length * 3 <= longestOwnerBytes || Buffer.byteLength(owner) <= longestOwnerBytes;
  if (isShort && !owner.includes(ownerSeparator) && !owner.startsWith(hashed)) return owner;
  return hashed + createHash('sha256').update(owner).digest('base64url');
}
