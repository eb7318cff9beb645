import { ServiceError } from '../../errors/index.js';
import { observeId } from '../../messages/index.js';
import { meetsAnyOf } from '../../security/index.js';
import {
  isIndexableText,
  type ColumnCondition,
  type ModelRecord,
  type PerspectiveStorage,
} from '../../storage/index.js';
import type { AskedModels } from './asked-models.js';
import { columnTypes } from './list-request.js';
import type { VisibleModels } from './model-access.js';
import { placeOf } from './model-place.js';
import { writePageToken } from './page-token.js';
import type { NamedPerspective } from '../perspective.js';

/** A page of model records and the token of the next page; null: there are no more. */
export interface RecordPage {
  readonly records: readonly ModelRecord[];
  readonly next: string | null;
}

/**
 * Reads the models of a perspective that an actor may see; for the actor, no other models exist. An id that is created after a read is greater
 * than those of the model's events.
 */
export class ModelReader {
  readonly #named: Pick<NamedPerspective, 'name' | 'columns' | 'owners' | 'perspective'>;
  readonly #storage: PerspectiveStorage;

  constructor(
    named: Pick<NamedPerspective, 'name' | 'columns' | 'owners' | 'perspective'>,
    storage: PerspectiveStorage,
  ) {
    this.#named = named;
    this.#storage = storage;
  }

  /** The body of the model with a key, as JSON; null when there is none. */
  async find(key: string, { owner, principals }: VisibleModels): Promise<string | null> {
    // No model has such a key, and a database would reject it as a parameter.
    if (!isIndexableText(key)) return null;
    const { name, owners, perspective } = this.#named;
    if (owner === null && perspective.keyOf !== undefined) return await this.#findOfAnyOwner(key);
    const id = owner === null || perspective.keyOf === undefined ? key : owners.idOf(key, owner.owner);
    const [record] = await this.#storage.readModels(name, [id]);
    if (record === undefined) return null;
    observeId(record.lastEventId);
    const isVisible =
      owner === null || (owners.ofModel(record) === owner.owner && meetsAnyOf(record.scope, principals));
    return isVisible ? record.body : null;
  }

  async list(asked: AskedModels, visible: VisibleModels): Promise<RecordPage> {
    const { name, columns } = this.#named;
    const { limit, sort, where } = asked;
    const found = await this.#storage.listModels(name, { ...asked, ...visible, limit: limit + 1 });
    const records = found.slice(0, limit);
    for (const { lastEventId } of records) observeId(lastEventId);
    const last = found.length > limit ? records.at(-1) : undefined;
    const place = last && placeOf(last, sort, columnTypes(columns), visible.owner === null);
    return { records, next: place === undefined ? null : writePageToken(name, sort, where, place) };
  }

  async count(where: readonly ColumnCondition[], visible: VisibleModels): Promise<number> {
    return await this.#storage.countModels(this.#named.name, { ...visible, where });
  }

  async #findOfAnyOwner(key: string): Promise<string | null> {
    const { name } = this.#named;
    const [record, another] = await this.#storage.findModels(name, key, 2);
    if (record !== undefined) observeId(record.lastEventId);
    if (another === undefined) return record?.body ?? null;
    throw new ServiceError(
      'SVC_AMBIGUOUS_KEY',
      `${name} has models of several owners under this key. Name the owner: lens.of({ tenantId }).find(key).`,
    );
  }
}
