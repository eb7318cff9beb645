import { UnauthenticatedError, type AccessControl, type AccessRequest } from '../access/index.js';
import { meetsCondition, Permission, scopeCondition, ScopeFilters } from '../security/index.js';
import type { ScopeCondition, SecurityContext } from '../security/index.js';
import { isIndexableText, type PerspectiveColumn, type PerspectiveStorage } from '../storage/index.js';
import { AccessDenialReason } from '../system-events/index.js';
import { placeOf } from './lens.js';
import { columnTypes, readListRequest, type ListRequest } from './list-request.js';
import { writePageToken } from './page-token.js';
import type { NamedPerspective } from './perspective.js';
import type { PerspectiveAccess } from './perspective-options.js';
import type { EventWait, TakenEvents } from './taken-events.js';

/** Some of the models a caller may see, as JSON texts. */
export interface ModelTexts {
  readonly items: readonly string[];
  /** Where the next page begins; null: there are no more. */
  readonly next: string | null;
}

/**
 * Reads the models of a perspective for callers: only for those who may, and only what is theirs to see. What a caller may not see
 * is not there for them.
 */
export class PerspectiveQuery {
  readonly name: string;
  /** What can be filtered and sorted by, beside the key. */
  readonly columns: readonly PerspectiveColumn[];
  readonly access: PerspectiveAccess;
  readonly #control: AccessControl;
  readonly #storage: PerspectiveStorage;
  readonly #taken: TakenEvents;

  constructor(
    { name, columns }: Pick<NamedPerspective, 'name' | 'columns'>,
    access: PerspectiveAccess,
    control: AccessControl,
    storage: PerspectiveStorage,
    taken: TakenEvents,
  ) {
    this.name = name;
    this.columns = columns;
    this.access = access;
    this.#control = control;
    this.#storage = storage;
    this.#taken = taken;
  }

  /** The model with a key as JSON; null when there is none for this caller. With `after`, once that event is taken. */
  async find(key: string, caller: SecurityContext | null, after: EventWait | null = null): Promise<string | null> {
    const condition = await this.#admit(caller, key);
    if (after !== null) await this.#taken.wait(after);
    // No model has such a key, and no database could be asked for it.
    if (!isIndexableText(key)) return null;
    const [record] = await this.#storage.readModels(this.name, [key]);
    if (record === undefined) return null;
    return condition === null || meetsCondition(record.scope, condition) ? record.body : null;
  }

  /** The models that a caller asks for, or a `ValidationError` that says what is wrong with the request. */
  async list(
    request: ListRequest,
    caller: SecurityContext | null,
    after: EventWait | null = null,
  ): Promise<ModelTexts> {
    const scope = await this.#admit(caller);
    const query = readListRequest(this.name, this.columns, request);
    if (after !== null) await this.#taken.wait(after);
    const records = await this.#storage.listModels(this.name, { ...query, limit: query.limit + 1, scope });
    const shown = records.slice(0, query.limit);
    const last = records.length > query.limit ? shown.at(-1) : undefined;
    const place = last && placeOf(last, query.sort, columnTypes(this.columns));
    return {
      items: shown.flatMap(({ body }) => body ?? []),
      next: place === undefined ? null : writePageToken(this.name, query.sort, query.where, place),
    };
  }

  /** Lets a caller in, or throws. Returns what a model must fulfil for them; null: nothing. */
  async #admit(caller: SecurityContext | null, resourceId?: string): Promise<ScopeCondition | null> {
    const { requires, allowAnonymous, scope } = this.access;
    const request: AccessRequest = {
      requires: requires ?? Permission.read(this.name),
      resourceType: this.name,
      ...(resourceId !== undefined && { resourceId }),
      filter: scope,
    };
    // Where nobody can show who they are, nobody is asked to; but a filter without a value lets nobody see anything.
    if (!this.#control.isOpen && !allowAnonymous) {
      if (requires !== null) await this.#control.authorize(caller, request);
      else if (caller === null) throw new UnauthenticatedError();
    }
    if (scope === ScopeFilters.None) return null;
    if (caller === null) throw new UnauthenticatedError();
    try {
      return scopeCondition(scope, caller.scope);
    } catch {
      return await this.#control.deny(caller, request, AccessDenialReason.ScopeViolation);
    }
  }
}
