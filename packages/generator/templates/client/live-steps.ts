import type { EventStream } from './event-stream.js';
import { keysAfter, type LiveChange, type LiveModel } from './live-changes.js';
import { delay } from './send.js';
import type { ServerEvent } from './server-events.js';

/** Connects to the events of a live query: at a place, or with all models. */
export type OpenLive = (place: string | null) => Promise<EventStream>;

/** A service sends all events of a step at once. After this time without another one, the step is complete. */
const stepMs = 100;

/** The changes of one live query, several at once if they arrive together. Connects again until the signal is aborted. */
export async function* liveChanges<TModel>(
  open: OpenLive,
  read: (json: never) => TModel,
  signal: AbortSignal,
): AsyncGenerator<readonly LiveChange<TModel>[], void> {
  const steps = new LiveSteps(read);
  let stream: EventStream | undefined;
  try {
    for (let failed = 0; ;) {
      stream = await open(steps.place);
      failed++;
      for (let isOpen = true; isOpen;) {
        const events = await stream.next(steps.isComplete ? undefined : stepMs);
        const changes: LiveChange<TModel>[] = events === undefined ? steps.complete(null) : [];
        for (const event of events ?? []) {
          changes.push(...steps.take(event));
          failed = 0;
        }
        if (changes.length > 0) yield changes;
        isOpen = events !== null && !steps.isLost;
      }
      stream.close();
      signal.throwIfAborted();
      const isLost = steps.restart();
      if (!isLost) await delay(Math.min(stream.retryMs * 2 ** failed, 60_000), signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    stream?.close();
  }
}

interface EventData {
  readonly key: string;
  readonly after: string | null;
  readonly model: never;
  readonly models: readonly LiveModel<never>[];
  readonly keys: readonly string[];
}

/** Collects events until a step is complete: a part of one must not be applied, because a place is that of whole steps. */
class LiveSteps<TModel> {
  /** Where to continue after a reconnect. */
  place: string | null = null;
  /** The service has models that the client does not have, and does not send. */
  isLost = false;
  readonly #read: (json: never) => TModel;
  #step: LiveChange<TModel>[] = [];
  #keys: ReadonlySet<string> = new Set();

  constructor(read: (json: never) => TModel) {
    this.#read = read;
  }

  get isComplete(): boolean {
    return this.#step.length === 0;
  }

  /** Forgets what is incomplete. Returns whether all models have to be requested. */
  restart(): boolean {
    const { isLost } = this;
    this.#step = [];
    this.isLost = false;
    if (isLost) this.place = null;
    return isLost;
  }

  /** The changes of the step that an event completes. */
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

  /** The changes of the step, which ends at a place. */
  complete(place: string | null): LiveChange<TModel>[] {
    const step = this.#step;
    this.#keys = keysAfter(this.#keys, step);
    this.place = place ?? this.place;
    this.#step = [];
    return step;
  }
}
