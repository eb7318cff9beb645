/** A client of GraphQL subscriptions, which does what the guide says: it stores models by key, the order of the keys, and its place. */
import { createClient, type Client, type ExecutionResult } from 'graphql-sse';
import { onTestFinished } from 'vitest';

/** The value of a subscription to a list. */
export interface LiveList {
  readonly place: string | null;
  readonly keys: readonly string[];
  readonly changed: readonly { readonly key: string; readonly model: Record<string, unknown> }[];
}

export interface SubscriptionOptions {
  /** The address of each connection, in turn; the last one stays. */
  readonly urls: readonly string[];
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  /** How often a lost connection is opened again. */
  readonly retryAttempts?: number;
  readonly fetchFn?: typeof fetch;
}

/** A subscription of the client of graphql-sse. */
export class Subscriber {
  readonly results: ExecutionResult<Record<string, unknown>, unknown>[] = [];
  /** Models of a list, in their order. */
  models: Record<string, unknown>[] = [];
  keys: readonly string[] = [];
  connections = 0;
  isComplete = false;
  error: unknown = null;
  /** Called for each list, after it was applied. */
  onList: (list: LiveList) => void = () => {};
  readonly variables: Record<string, unknown>;
  readonly close: () => void;
  readonly #known = new Map<string, Record<string, unknown>>();

  constructor({ urls, query, variables = {}, headers = {}, retryAttempts = 0, fetchFn = fetch }: SubscriptionOptions) {
    this.variables = variables;
    const client: Client = createClient({
      url: () => `${urls[Math.min(this.connections++, urls.length - 1)]}/graphql`,
      headers,
      retryAttempts,
      retry: () => new Promise((resolve) => setTimeout(resolve, 20)),
      fetchFn,
    });
    // The client sends the variables as they are when it connects: again from the last place.
    client.subscribe(
      { query, variables },
      {
        next: (result) => this.#take(result),
        error: (error) => (this.error = error),
        complete: () => (this.isComplete = true),
      },
    );
    this.close = () => client.dispose();
  }

  get isEnded(): boolean {
    return this.isComplete || this.error !== null;
  }

  /** The codes of the errors of all results. */
  get codes(): unknown[] {
    return this.results.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions['code']));
  }

  #take(result: ExecutionResult<Record<string, unknown>, unknown>): void {
    this.results.push(result);
    const [value] = Object.values(result.data ?? {});
    if (!isList(value)) return;
    for (const { key, model } of value.changed) this.#known.set(key, model);
    this.keys = value.keys;
    this.models = value.keys.map((key) => {
      const model = this.#known.get(key);
      if (model === undefined) throw new Error(`The client has no model ${key}.`);
      return model;
    });
    if (value.place !== null) this.variables['since'] = value.place;
    this.onList(value);
  }
}

/** A subscriber that is closed at the end of the test. */
export function subscribe(options: SubscriptionOptions): Subscriber {
  const subscriber = new Subscriber(options);
  onTestFinished(() => subscriber.close());
  return subscriber;
}

function isList(value: unknown): value is LiveList {
  return typeof value === 'object' && value !== null && 'changed' in value;
}
