import { newId, type Event } from '../messages/index.js';
import type { AppliedEvent, Perspective } from '../perspectives/index.js';
import { deepFrozen, defaultStreamId, firstTime, isGiven, minute, type GivenEvent } from './given-event.js';

/** Starts a test of a perspective: `given(new OrderPerspective(), placed).when(paid).model()`. No service, no storage. */
export function given<TModel extends object, TEvent extends Event>(
  perspective: Perspective<TModel, TEvent>,
  ...events: readonly (TEvent | GivenEvent<TEvent>)[]
): PerspectiveTest<TModel, TEvent> {
  return new PerspectiveTest(perspective, []).when(...events);
}

/** Applies events to a perspective and returns its models. */
export class PerspectiveTest<TModel extends object, TEvent extends Event> {
  /** The stream of events without a `streamId`. */
  static readonly streamId = defaultStreamId;
  readonly #perspective: Perspective<TModel, TEvent>;
  readonly #events: readonly Applied<TEvent>[];

  constructor(perspective: Perspective<TModel, TEvent>, events: readonly Applied<TEvent>[]) {
    this.#perspective = perspective;
    this.#events = events;
  }

  /** Returns the same test with more events. */
  when(...events: readonly (TEvent | GivenEvent<TEvent>)[]): PerspectiveTest<TModel, TEvent> {
    const all = [...this.#events];
    for (const event of events) all.push(appliedEvent(isGiven(event) ? event : { event }, all));
    return new PerspectiveTest(this.#perspective, all);
  }

  /** Returns the model of a key; null if there is none. Default: the model of the default stream and of the tenant of its events. */
  model(key: string = PerspectiveTest.streamId, tenantId = this.#onlyTenant()): TModel | null {
    return this.models(tenantId).get(key) ?? null;
  }

  /** Returns all models of a tenant by key. Each tenant has its own models. Default: the tenant of all events. */
  models(tenantId = this.#onlyTenant()): ReadonlyMap<string, TModel> {
    const models = new Map<string, TModel>();
    for (const { event, context } of this.#events) {
      if (tenantOf(context) !== tenantId) continue;
      const key = this.#perspective.keyOf === undefined ? context.streamId : this.#perspective.keyOf(event, context);
      if (key === null) continue;
      // Frozen, so that a perspective that changes the model fails here, not only during a replay.
      const model = this.#perspective.apply(deepFrozen(models.get(key) ?? null), event, context);
      if (model === null) models.delete(key);
      else models.set(key, model);
    }
    return models;
  }

  /** Applies all events twice, some time apart, and throws if the models differ: `apply` must depend only on the events. */
  requirePure(): this {
    const first = this.#textOfAll();
    const before = Date.now();
    while (Date.now() - before < 2);
    const second = this.#textOfAll();
    if (first !== second) {
      throw new Error(
        `${this.#perspective.constructor.name} is not pure: the same events built ${first} and then ${second}. Use only the event and its context; the time is context.timestamp.`,
      );
    }
    return this;
  }

  get #tenants(): readonly string[] {
    return [...new Set(this.#events.map(({ context }) => tenantOf(context)))];
  }

  #onlyTenant(): string {
    const tenants = this.#tenants;
    if (tenants.length < 2) return tenants[0] ?? '';
    throw new Error(`The events belong to ${tenants.length} tenants. Name one of them: models('${tenants[0]}').`);
  }

  #textOfAll(): string {
    return this.#tenants.map((tenant) => textOf(this.models(tenant))).join('\n');
  }
}

/** '' if there is none. */
function tenantOf({ scope }: AppliedEvent): string {
  return scope?.['tenantId'] ?? '';
}

interface Applied<TEvent> {
  readonly event: TEvent;
  readonly context: AppliedEvent;
}

function appliedEvent<TEvent>(input: GivenEvent<TEvent>, before: readonly Applied<TEvent>[]): Applied<TEvent> {
  const { event, streamId = PerspectiveTest.streamId, scope = null } = input;
  const last = before.at(-1)?.context.timestamp.getTime() ?? firstTime - minute;
  const timestamp = input.timestamp ?? new Date(last + minute);
  const position = before.filter(({ context }) => context.streamId === streamId).length;
  const id = newId();
  return { event: deepFrozen(event), context: { id, streamId, position, timestamp, correlationId: id, scope } };
}

function textOf(models: ReadonlyMap<string, object>): string {
  return JSON.stringify([...models], (_key, value: unknown) => (value instanceof Set ? [...value] : value));
}
