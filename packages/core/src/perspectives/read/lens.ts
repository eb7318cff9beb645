import type { AccessControl } from '../../access/index.js';
import { ServiceError } from '../../errors/index.js';
import type { Uuid } from '../../json/index.js';
import type { PerspectiveScope } from '../../security/index.js';
import type { IndexedType, StoppedStream } from '../../storage/index.js';
import { conditionsOf, sortOf, type LensQuery } from './lens-query.js';
import { columnTypes } from './list-request.js';
import type { ModelAccess, VisibleModels } from './model-access.js';
import type { FindModels, ModelSource } from './model-source.js';
import { readPageToken } from './page-token.js';
import { pageBounds } from './page-numbers.js';
import type { NamedPerspective } from '../perspective.js';
import type { WaitOptions } from './processed-events.js';
import { readStoredModel } from '../stored-model.js';

const usualPage = pageBounds.pageSize.usual;
/** Larger than that of callers: code of the service knows what it does with them. */
const largestPage = 1000;

/** A page of models and the token of the next page; null: there are no more. */
export interface ModelPage<TModel> {
  readonly items: readonly TModel[];
  readonly next: string | null;
}

/** The parts that a lens reads with. */
export interface LensParts {
  readonly named: NamedPerspective;
  readonly models: FindModels;
  readonly access: ModelAccess;
  readonly control: AccessControl;
}

/**
 * Reads the models of a perspective. Inside a request it returns what the caller may see: the permission that the perspective requires, its
 * scope and the tenant apply. Inside `runAsHost`, and in a service without authentication, it returns everything.
 */
export class PerspectiveLens<TModel extends object> {
  readonly #parts: LensParts;
  readonly #types: ReadonlyMap<string, IndexedType>;
  readonly #scope: PerspectiveScope | null;

  constructor(parts: LensParts, scope: PerspectiveScope | null = null) {
    this.#parts = parts;
    this.#types = columnTypes(parts.named.columns);
    this.#scope = scope;
  }

  /** A lens for the models of one owner, used by the host: `runAsHost(() => lens.of({ tenantId: 'acme' }).find(key))`. */
  of(scope: PerspectiveScope): PerspectiveLens<TModel> {
    return new PerspectiveLens(this.#parts, scope);
  }

  /** Returns the model with a key; null: there is none. */
  async find(key: string): Promise<TModel | null> {
    const visible = await this.#admit(key);
    if (visible === null) return null;
    const { reader } = await this.#source();
    const body = await reader.find(key, visible);
    return body === null ? null : this.#toModel(body);
  }

  /** Returns models, at most 1,000; by default the first 10 in the order of their keys. */
  async list(query: LensQuery<TModel> = {}): Promise<readonly TModel[]> {
    return (await this.page(query)).items;
  }

  /** Returns models like `list`, with the token of the next page. */
  async page({ where = {}, sort, offset = 0, limit = usualPage, after = null }: LensQuery<TModel> = {}): Promise<
    ModelPage<TModel>
  > {
    const visible = await this.#admit();
    const order = sortOf(sort, this.#types);
    const conditions = conditionsOf(where, this.#types);
    const place = after === null ? null : readPageToken(this.#parts.named.name, order, conditions, this.#types, after);
    if (place === undefined) {
      throw new ServiceError('SVC_INVALID_VALUE', 'after must be the next of an earlier page of the same list.');
    }
    const asked = {
      offset: Math.max(0, offset),
      limit: Math.min(Math.max(0, limit), largestPage),
      where: conditions,
      sort: order,
      after: place,
    };
    if (visible === null) return { items: [], next: null };
    const { reader } = await this.#source();
    const { records, next } = await reader.list(asked, visible);
    return { items: records.flatMap(({ body }) => (body === null ? [] : [this.#toModel(body)])), next };
  }

  /** Returns the number of models. It reads all of them in the index, so it takes longer the more there are. */
  async count({ where = {} }: Pick<LensQuery<TModel>, 'where'> = {}): Promise<number> {
    const visible = await this.#admit();
    const conditions = conditionsOf(where, this.#types);
    if (visible === null) return 0;
    const { reader } = await this.#source();
    return await reader.count(conditions, visible);
  }

  /** Resolves once the perspective has processed an event; throws an `EventNotProcessedError` when that takes too long. */
  async waitFor(eventId: Uuid, options: WaitOptions = {}): Promise<void> {
    const { reach } = this.#parts.control;
    const { processed } = await this.#source();
    await processed.wait({ ...options, eventId }, reach);
  }

  /** Returns the streams that the perspective has stopped, with the errors. A caller needs `system:read` and sees those of its tenant. */
  async stoppedStreams(): Promise<readonly StoppedStream[]> {
    const { control, named } = this.#parts;
    const tenant = await control.authorizeSystemRead();
    const { storage, log } = await this.#source();
    const stopped = await storage.readStopped(named.name);
    if (tenant === null) return stopped;
    const owners = await Promise.all(stopped.map(({ streamId }) => log.tenantOf(streamId)));
    return stopped.filter((_, i) => owners[i] === tenant);
  }

  /** The models in the lens's scope that the caller may see; null: none. */
  async #admit(resourceId?: string): Promise<VisibleModels | null> {
    const { named, access, control } = this.#parts;
    const visible = await access.admit(control.actor, resourceId);
    if (this.#scope === null) return visible;
    const owner = named.owners.condition(this.#scope);
    return visible.owner === null || visible.owner.owner === owner.owner ? { ...visible, owner } : null;
  }

  #source(): ModelSource | Promise<ModelSource> {
    return this.#parts.models(this.#parts.control.actor, this.#scope?.tenantId);
  }

  #toModel(body: string): TModel {
    return readStoredModel(this.#parts.named, body) as TModel;
  }
}
