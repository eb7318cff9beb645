import type { EventReader } from './following.js';
import { keysAfter, type LiveChange, type LiveModel } from './live-changes.js';
import type { ServerEvent } from './server-events.js';

interface EventData {
  readonly key: string;
  readonly after: string | null;
  readonly model: never;
  readonly models: readonly LiveModel<never>[];
  readonly keys: readonly string[];
}

/** Collects events until a step is complete: a part of one must not be applied, because a place is that of whole steps. */
export class LiveSteps<TModel> implements EventReader<LiveChange<TModel>> {
  place: string | null = null;
  isLost = false;
  /** A live query never ends. */
  readonly isOver = false;
  readonly #read: (json: never) => TModel;
  #step: LiveChange<TModel>[] = [];
  #keys: ReadonlySet<string> = new Set();

  constructor(read: (json: never) => TModel) {
    this.#read = read;
  }

  get isComplete(): boolean {
    return this.#step.length === 0;
  }

  restart(): boolean {
    const { isLost } = this;
    this.#step = [];
    this.isLost = false;
    if (isLost) this.place = null;
    return isLost;
  }

  take({ name, data, id }: ServerEvent): LiveChange<TModel>[] {
    const { key, after, model, models, keys } = JSON.parse(data) as EventData;
    switch (name) {
      case 'page':
        this.#step = [{ kind: 'page', models: models.map((one) => ({ key: one.key, model: this.#read(one.model) })) }];
        return this.complete(id);
      case 'upsert':
        this.#step.push({ kind: 'upsert', key, after, model: this.#read(model) });
        break;
      case 'remove':
        this.#step.push({ kind: 'remove', key });
        break;
      case 'keys': {
        const known = keysAfter(this.#keys, this.#step);
        this.isLost = keys.some((one) => !known.has(one));
        if (this.isLost) return [];
        const listed = new Set(keys);
        for (const one of known) if (!listed.has(one)) this.#step.push({ kind: 'remove', key: one });
        return this.complete(id);
      }
      default:
        // After `reset` there is a page, which replaces everything.
        return [];
    }
    // All events of a step but the last one have the place before it.
    return id !== null && id === this.place ? [] : this.complete(id);
  }

  complete(place: string | null): LiveChange<TModel>[] {
    const step = this.#step;
    this.#keys = keysAfter(this.#keys, step);
    this.place = place ?? this.place;
    this.#step = [];
    return step;
  }
}
