/** How a client reaches its service. */
export interface ClientOptions {
  /** The address of the service, with the prefix of its routes: `https://shop.example/api`. In a browser it can be relative. */
  readonly url: string | URL;
  /** Headers of every request, or a function that returns them. */
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>) | undefined;
  /**
   * Returns the bearer token. The client uses it until the service answers 401. Then it calls the function once more, with the rejected
   * token, and repeats the request. Requests that run at the same time share that call.
   */
  readonly token?: ((rejected?: string) => string | Promise<string>) | undefined;
  /** How often a request is retried without a response, and after a 429 or 503. Default: 3. */
  readonly retries?: number | undefined;
  /** The delay before the first retry; it doubles with each one, up to 10 seconds. Default: 250. */
  readonly retryDelayMs?: number | undefined;
  /** Whether reads wait for the effects of earlier commands of this client. Default: true. */
  readonly readYourWrites?: boolean | undefined;
  /** The path of GraphQL operations below `url`. Default: `/graphql`. */
  readonly graphQLPath?: string | undefined;
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export type RequestHeaders = Readonly<Record<string, string>>;

/** The options of one command. */
export interface CommandOptions {
  readonly signal?: AbortSignal | undefined;
  /** The `Idempotency-Key`. Default: a new one for each call. False: none, and no retries. */
  readonly idempotencyKey?: string | false | undefined;
}

/** The options of one read. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The event to wait for. Default: the events of earlier commands of this client. False: none. */
  readonly afterEvent?: string | false | undefined;
  /** How long the service waits for these events, in seconds. Default: 5, at most 30. */
  readonly waitSeconds?: number | undefined;
}
