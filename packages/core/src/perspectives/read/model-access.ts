import { UnauthenticatedError, type AccessControl, type AccessRequest } from '../../access/index.js';
import { anonymous, Permission, scopeCondition, ScopeFilters, type SecurityContext } from '../../security/index.js';
import type { ModelQuery } from '../../storage/index.js';
import { AccessDenialReason } from '../../system-events/index.js';
import type { NamedPerspective } from '../perspective.js';
import type { PerspectiveAccess } from '../perspective-options.js';

/** The models of a perspective that an actor may see. */
export type VisibleModels = Pick<ModelQuery, 'owner' | 'principals'>;

const everything: VisibleModels = { owner: null, principals: null };

/** Decides which models of a perspective a caller may see. */
export class ModelAccess {
  readonly #named: Pick<NamedPerspective, 'name' | 'owners'>;
  readonly #access: PerspectiveAccess;
  readonly #control: AccessControl;

  constructor(named: Pick<NamedPerspective, 'name' | 'owners'>, access: PerspectiveAccess, control: AccessControl) {
    this.#named = named;
    this.#access = access;
    this.#control = control;
  }

  /** The models that an actor may see; a null actor is the host. Rejects an actor that may see none. */
  async admit(actor: SecurityContext | null, resourceId?: string): Promise<VisibleModels> {
    if (actor === null) return everything;
    const { requires, scope } = this.#access;
    const request: AccessRequest = {
      requires: requires ?? Permission.read(this.#named.name),
      resourceType: this.#named.name,
      ...(resourceId !== undefined && { resourceId }),
      filter: scope,
    };
    if (requires !== null) await this.#control.authorize(actor, request);
    const owner = this.#named.owners.condition(actor.scope);
    if (scope === ScopeFilters.None) return { owner, principals: null };
    if (actor === anonymous) throw new UnauthenticatedError();
    try {
      return { owner, principals: scopeCondition(scope, actor.scope).anyOf };
    } catch {
      return await this.#control.deny(actor, request, AccessDenialReason.ScopeViolation);
    }
  }
}
