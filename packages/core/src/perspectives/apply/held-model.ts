import type { Uuid } from '../../json/index.js';
import type { IndexedModel, ModelIdentity, ModelRecord, ModelSnapshot, StoredEvent } from '../../storage/index.js';
import { indexedValues } from './indexed-values.js';
import { contextOf, identityOf } from './model-identity.js';
import type { NamedPerspective } from '../perspective.js';
import { readStoredModel } from '../stored-model.js';

type ModelContent = Pick<ModelRecord, 'body' | 'version' | 'lastEventId'>;

/** The state of a model before events are applied to it. */
export type ModelState = ModelContent & ModelIdentity;

/** The greatest event id of a model without events: below every id, and every database can store it. */
export const beforeAllIds = '00000000-0000-0000-0000-000000000000' as Uuid;

const withoutEvents: ModelContent = { version: 0, lastEventId: beforeAllIds, body: null };

/** A model in memory. To write and parse it for each batch would cost more than to apply its events. */
export class HeldModel {
  readonly id: string;
  readonly key: string;
  readonly owner: string;
  readonly scope: ModelRecord['scope'];
  readonly #named: NamedPerspective;
  model: object | null;
  version: number;
  /** The greatest id of its events. */
  lastEventId: Uuid;
  /** Whether it has changed since it was last written. */
  isChanged = false;
  /** The length of its body when it was last written or read; null: it was neither. */
  characters: number | null;

  /** Two objects, because copying the identity takes longer than the rest. */
  private constructor(named: NamedPerspective, { id, key, owner, scope }: ModelIdentity, state: ModelContent) {
    const { version, lastEventId, body } = state;
    this.#named = named;
    this.id = id;
    this.key = key;
    this.owner = owner;
    this.scope = scope;
    this.model = body === null ? null : readStoredModel(named, body);
    this.version = version;
    this.lastEventId = lastEventId;
    this.characters = version === 0 ? null : (body?.length ?? 0);
  }

  static begun(named: NamedPerspective, id: string, first: StoredEvent): HeldModel {
    return new HeldModel(named, identityOf(named, id, first), withoutEvents);
  }

  static of(named: NamedPerspective, state: ModelState): HeldModel {
    return new HeldModel(named, state, state);
  }

  apply(event: StoredEvent): void {
    this.model = this.#named.perspective.apply(this.model, event.envelope.payload, contextOf(event)) as object | null;
    this.version++;
    if (event.envelope.id > this.lastEventId) this.lastEventId = event.envelope.id;
  }

  /** The model in its stored form. Throws if it cannot be written. */
  written(): IndexedModel {
    const { id, key, owner, scope, version, lastEventId } = this;
    const indexed = indexedValues(this.#named, this.model);
    return { id, key, owner, scope, body: this.#write(), version, lastEventId, indexed };
  }

  snapshot(): ModelSnapshot {
    const { id, version, lastEventId: eventId } = this;
    return { id, eventId, body: this.#write(), version };
  }

  #write(): string | null {
    const body = this.model === null ? null : this.#named.writeModel(this.model);
    this.characters = body?.length ?? 0;
    return body;
  }
}
