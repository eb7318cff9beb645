import type { Uuid } from '../../json/index.js';
import type { IndexedModel, ModelRecord, ModelSnapshot, StoredEvent } from '../../storage/index.js';
import { beforeAllIds } from '../apply/apply-batch.js';
import { indexedValues } from '../apply/indexed-values.js';
import { contextOf, identityOf } from '../apply/model-identity.js';
import type { NamedPerspective } from '../perspective.js';
import { readStoredModel } from '../stored-model.js';

/**
 * A model that stays in memory between the batches of a rebuild. To write and parse it for each batch would cost more than to apply its events.
 */
export class HeldModel implements ModelRecord {
  readonly id: string;
  readonly key: string;
  readonly owner: string;
  readonly scope: ModelRecord['scope'];
  readonly #named: NamedPerspective;
  model: object | null;
  version: number;
  lastEventId: Uuid;
  /** The greatest id of the events checked so far. It differs from `lastEventId` only while a batch is checked for late events. */
  expectedId: Uuid;
  /** Whether it has changed since its last commit. */
  isChanged = false;

  private constructor(
    named: NamedPerspective,
    { id, key, owner, scope, version, lastEventId }: Omit<ModelRecord, 'body'>,
    model: object | null,
  ) {
    this.#named = named;
    this.id = id;
    this.key = key;
    this.owner = owner;
    this.scope = scope;
    this.model = model;
    this.version = version;
    this.lastEventId = lastEventId;
    this.expectedId = lastEventId;
  }

  static begun(named: NamedPerspective, id: string, first: StoredEvent): HeldModel {
    return new HeldModel(named, { ...identityOf(named, id, first), version: 0, lastEventId: beforeAllIds }, null);
  }

  static of(named: NamedPerspective, record: ModelRecord): HeldModel {
    return new HeldModel(named, record, record.body === null ? null : readStoredModel(named, record.body));
  }

  apply(event: StoredEvent): void {
    this.model = this.#named.perspective.apply(this.model, event.envelope.payload, contextOf(event)) as object | null;
    this.version++;
    if (event.envelope.id > this.lastEventId) this.lastEventId = event.envelope.id;
  }

  get body(): string | null {
    return this.model === null ? null : this.#named.writeModel(this.model);
  }

  /** The model in its stored form. Throws if it cannot be written. */
  written(): IndexedModel {
    const { id, key, owner, scope, body, version, lastEventId } = this;
    return { id, key, owner, scope, body, version, lastEventId, indexed: indexedValues(this.#named, this.model) };
  }

  snapshot(): ModelSnapshot {
    const { id, body, version } = this;
    return { id, eventId: this.lastEventId, body, version };
  }
}

/**
 * A model in memory could not be changed or written, and its previous state is lost. The rebuild resumes at its last commit and writes the models
 * of each batch.
 */
export class HeldModelLostError extends Error {
  override readonly name = 'HeldModelLostError';
}
