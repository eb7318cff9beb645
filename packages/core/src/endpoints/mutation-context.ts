import { CommandRequest, signalOf, type Cancellation, type ReceivedRequest } from '../dispatch/index.js';

/** The context of one execution of an endpoint, which svc passes to all of its hooks. */
export interface MutationContext {
  /** Aborts when the request is cancelled. */
  readonly signal: AbortSignal;
  /** State shared between the hooks; empty at the start of each execution. */
  readonly items: Map<string, unknown>;
  /** The request as it arrived over REST, for example to verify its signature. Null: it arrived over GraphQL, or without HTTP. */
  readonly request: ReceivedRequest | null;
}

/** Creates the signal and the items on first use: most executions use neither. */
export class ExecutionContext implements MutationContext {
  readonly #cancellation: Cancellation;
  #items: Map<string, unknown> | undefined;
  #request: ReceivedRequest | null | undefined;

  constructor(cancellation: Cancellation) {
    this.#cancellation = cancellation;
  }

  get signal(): AbortSignal {
    return signalOf(this.#cancellation);
  }

  get items(): Map<string, unknown> {
    return (this.#items ??= new Map());
  }

  get request(): ReceivedRequest | null {
    if (this.#request !== undefined) return this.#request;
    return (this.#request = this.#cancellation instanceof CommandRequest ? this.#cancellation.received() : null);
  }
}
