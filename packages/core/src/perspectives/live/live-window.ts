import type { StoredModel } from '../../storage/index.js';
import { hasUnchanged, writePlace, type LivePlace, type PlacedList } from './live-place.js';

/** A model of a live query: its key and its body as JSON. */
export interface LiveModel {
  readonly key: string;
  readonly body: string;
}

/** A model that was added or has changed, and the key of the previous model; null: it is the first. */
export interface LiveUpsert extends LiveModel {
  readonly after: string | null;
}

/**
 * A message to a client. `place` is where it is afterwards; null: no place, so that it stays at its earlier one. `keys` are those of all models that
 * it then has, in their order.
 *
 * - `page`: the models replace all that the client has. `isReset`: although it was at a place, which says nothing about them.
 * - `changes`: models were removed, then added or changed, in this order.
 * - `resumed`: the models that have changed since the client's place or moved onto its page. Every model that is not in `keys` was removed.
 */
export type LiveStep =
  | {
      readonly kind: 'page';
      readonly place: string | null;
      readonly isReset: boolean;
      readonly models: readonly LiveModel[];
      readonly keys: readonly string[];
    }
  | {
      readonly kind: 'changes';
      /** Where the client was. */
      readonly from: string | null;
      readonly place: string | null;
      readonly removed: readonly string[];
      readonly upserts: readonly LiveUpsert[];
      readonly keys: readonly string[];
    }
  | {
      readonly kind: 'resumed';
      readonly from: string | null;
      readonly place: string | null;
      readonly upserts: readonly LiveUpsert[];
      readonly keys: readonly string[];
    };

/** The models of a live query at one moment, in their order. It never changes. */
export class LiveWindow {
  readonly #place: LivePlace | null;
  readonly #models: ReadonlyMap<string, StoredModel>;
  readonly #list: PlacedList;
  #page: LiveStep | null = null;
  #reset: LiveStep | null = null;

  constructor(models: readonly StoredModel[], place: LivePlace | null, list: PlacedList) {
    this.#place = place;
    this.#list = list;
    this.#models = new Map(models.map((model) => [model.id, model]));
  }

  has(id: string): boolean {
    return this.#models.has(id);
  }

  get isEmpty(): boolean {
    return this.#models.size === 0;
  }

  /** Everything, created once for all clients that connect. */
  page(isReset: boolean): LiveStep {
    return isReset ? (this.#reset ??= this.#newPage(true)) : (this.#page ??= this.#newPage(false));
  }

  #newPage(isReset: boolean): LiveStep {
    const models = [...this.#models.values()].map(liveModel);
    return { kind: 'page', place: this.#placeText, isReset, models, keys: this.#keys };
  }

  /** For a client that was at a place. Null: the place says nothing about these models. */
  resume(from: LivePlace): LiveStep | null {
    const { generation, revision } = from;
    const place = this.#place;
    // A client cannot have seen what is not committed: the database was restored, or the place is forged.
    if (place === null || generation !== place.generation || revision > place.revision) return null;
    // One that has not changed may have moved onto the page, because others have left it.
    const upserts = this.#upserts((model) => model.revision > revision || !hasUnchanged(from, model, this.#list));
    return {
      kind: 'resumed',
      from: writePlace(from, this.#list),
      place: this.#placeText,
      upserts,
      keys: this.#keys,
    };
  }

  /** For a client that has the models of an earlier window. Null: they are the same. */
  since(earlier: LiveWindow): LiveStep | null {
    const removed = [...earlier.#models.values()].filter(({ id }) => !this.has(id)).map(({ key }) => key);
    const upserts = this.#upserts(({ id, body }) => earlier.#models.get(id)?.body !== body);
    if (removed.length === 0 && upserts.length === 0) return null;
    return { kind: 'changes', from: earlier.#placeText, place: this.#placeText, removed, upserts, keys: this.#keys };
  }

  isAtPlaceOf(other: LiveWindow): boolean {
    return this.#placeText !== null && this.#placeText === other.#placeText;
  }

  get #placeText(): string | null {
    return this.#place === null ? null : writePlace(this.#place, this.#list);
  }

  get #keys(): readonly string[] {
    return [...this.#models.values()].map(({ key }) => key);
  }

  #upserts(isChanged: (model: StoredModel) => boolean): readonly LiveUpsert[] {
    const upserts: LiveUpsert[] = [];
    let after: string | null = null;
    for (const model of this.#models.values()) {
      if (isChanged(model)) upserts.push({ ...liveModel(model), after });
      after = model.key;
    }
    return upserts;
  }
}

function liveModel({ key, body }: StoredModel): LiveModel {
  return { key, body: body! };
}
