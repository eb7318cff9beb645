import { UnauthenticatedError, type AccessControl } from '../../access/index.js';
import { anonymous, type SecurityContext } from '../../security/index.js';
import { isIndexableText, keyColumn, sortedByKey, type PerspectiveColumn } from '../../storage/index.js';
import type { LiveWatch } from '../live/live-group.js';
import { readListRequest, type ListRequest } from './list-request.js';
import { ModelAccess, type VisibleModels } from './model-access.js';
import type { FindModels } from './model-source.js';
import type { NamedPerspective } from '../perspective.js';
import { ownerFilters, type PerspectiveAccess } from '../perspective-options.js';
import type { EventWait } from './processed-events.js';
import { streamKey, withStreamKeys } from './stream-keys.js';

/** A page of the models that a caller may see, as JSON strings. */
export interface ModelTexts {
  readonly items: readonly string[];
  /** The token of the next page; null: there are no more. */
  readonly next: string | null;
}

/**
 * Reads the models of a perspective for authorized callers. For a caller, models that it may not see do not exist.
 */
export class PerspectiveQuery {
  readonly name: string;
  /** The columns that callers can filter and sort by, in addition to the key. */
  readonly columns: readonly PerspectiveColumn[];
  readonly access: PerspectiveAccess;
  readonly #control: AccessControl;
  readonly #modelAccess: ModelAccess;
  readonly #models: FindModels;
  readonly #hasStreamKeys: boolean;

  constructor(named: NamedPerspective, access: PerspectiveAccess, control: AccessControl, models: FindModels) {
    this.name = named.name;
    this.columns = named.columns;
    this.access = access;
    this.#control = control;
    this.#modelAccess = new ModelAccess(named, access, control);
    this.#models = models;
    this.#hasStreamKeys = named.perspective.keyOf === undefined;
  }

  /** Rejects a caller that may see no models, before the host reads the parameters of the request. */
  async authorize(caller: SecurityContext | null, key?: string): Promise<void> {
    await this.#admit(this.#actorOf(caller), key === undefined ? key : this.#keyIn(key));
  }

  /**
   * The model with a key as JSON; null if this caller sees none. With `after`, it waits until that event is processed. A grant is recorded once
   * per `within`, such as an HTTP request.
   */
  async find(
    given: string,
    caller: SecurityContext | null,
    after: EventWait | null = null,
    within?: object,
  ): Promise<string | null> {
    const key = this.#keyIn(given);
    const actor = this.#actorOf(caller);
    const visible = await this.#admit(actor, key);
    const { reader, processed } = await this.#models(actor);
    if (after !== null) await processed.wait(after, this.#control.reachOf(actor));
    const body = await reader.find(key, visible);
    // A model that does not exist for the caller was not accessed.
    if (body !== null) await this.#recordGrant(actor, within, key);
    return body;
  }

  /** A page of models; throws a `ValidationError` with every issue of the request. */
  async list(
    request: ListRequest,
    caller: SecurityContext | null,
    after: EventWait | null = null,
    within?: object,
  ): Promise<ModelTexts> {
    const actor = this.#actorOf(caller);
    const visible = await this.#admit(actor);
    const asked = readListRequest(this.name, this.columns, this.#requestIn(request));
    const { reader, processed } = await this.#models(actor);
    if (after !== null) await processed.wait(after, this.#control.reachOf(actor));
    const { records, next } = await reader.list(asked, visible);
    await this.#recordGrant(actor, within);
    return { items: records.flatMap(({ body }) => body ?? []), next };
  }

  /**
   * Watches a list: its first models in their order, as a page of it has them. `place`: the last one that the client has received; null: it has
   * nothing.
   */
  async watch(
    request: ListRequest,
    caller: SecurityContext | null,
    place: string | null,
    after: EventWait | null = null,
    within?: object,
  ): Promise<LiveWatch> {
    const actor = this.#actorOf(caller);
    const visible = await this.#admit(actor);
    const { limit, where, sort } = readListRequest(this.name, this.columns, this.#requestIn(request));
    const { live, processed } = await this.#models(actor);
    if (after !== null) await processed.wait(after, this.#control.reachOf(actor));
    const only = where.find(({ column, operator }) => column === keyColumn && operator === 'eq');
    const key = only !== undefined && 'value' in only && typeof only.value === 'string' ? { key: only.value } : {};
    const watch = await live.watch({ ...visible, ...key, limit, where, sort }, place);
    await this.#recordGrant(actor, within);
    return watch;
  }

  /** Watches the model with a key. Null: there is none for this caller, and the client has none either. */
  async watchOne(
    given: string,
    caller: SecurityContext | null,
    place: string | null,
    after: EventWait | null = null,
    within?: object,
  ): Promise<LiveWatch | null> {
    const key = this.#keyIn(given);
    const actor = this.#actorOf(caller);
    const visible = await this.#admit(actor, key);
    if (!isIndexableText(key)) return null;
    const { live, processed } = await this.#models(actor);
    if (after !== null) await processed.wait(after, this.#control.reachOf(actor));
    const where = [{ column: keyColumn, operator: 'eq', value: key }] as const;
    const watch = await live.watch({ ...visible, key, limit: 1, where, sort: sortedByKey }, place);
    if (watch.isEmpty && place === null) {
      watch.close();
      return null;
    }
    await this.#recordGrant(actor, within, key);
    return watch;
  }

  /** What a caller may see, as one string: it changes when the caller may see other models. Throws if the caller may see none. */
  async visibleTo(caller: SecurityContext | null, key?: string): Promise<string> {
    return JSON.stringify(await this.#admit(this.#actorOf(caller), key === undefined ? key : this.#keyIn(key)));
  }

  /** With the scope values that the query was limited to. */
  async #recordGrant(actor: SecurityContext | null, within: object | undefined, resourceId?: string): Promise<void> {
    const { recordGrant, requires } = this.access;
    if (!recordGrant || requires === null || actor === null) return;
    await this.#control.recordGrant(actor, {
      requires,
      resourceType: this.name,
      ...(resourceId !== undefined && { resourceId }),
      filter: ownerFilters(this.access, this.#control.isolatesTenants),
      ...(within !== undefined && { within }),
    });
  }

  /** The key as models have it. */
  #keyIn(text: string): string {
    return this.#hasStreamKeys ? streamKey(text) : text;
  }

  #requestIn(request: ListRequest): ListRequest {
    return this.#hasStreamKeys ? { ...request, filters: withStreamKeys(request.filters) } : request;
  }

  /** In a service without authentication, callers see everything, like the host. */
  #actorOf(caller: SecurityContext | null): SecurityContext | null {
    return caller ?? (this.#control.isOpen ? null : anonymous);
  }

  async #admit(actor: SecurityContext | null, resourceId?: string): Promise<VisibleModels> {
    if (actor === anonymous && !this.access.allowAnonymous) throw new UnauthenticatedError();
    return await this.#modelAccess.admit(actor, resourceId);
  }
}
