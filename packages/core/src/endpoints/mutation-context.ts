import { signalOf, type Cancellation } from '../dispatch/index.js';

/** The context of one execution of an endpoint, which svc passes to all of its hooks. */
export interface MutationContext {
  /** Aborts when the request is cancelled. */
  readonly signal: AbortSignal;
  /** State shared between the hooks; empty at the start of each execution. */
  readonly items: Map<string, unknown>;
}

/** Creates the signal and the items on first use: most executions use neither. */
export class ExecutionContext implements MutationContext {
  readonly #cancellation: Cancellation;
  #items: Map<string, unknown> | undefined;

  constructor(cancellation: Cancellation) {
    this.#cancellation = cancellation;
  }

  get signal(): AbortSignal {
    return signalOf(this.#cancellation);
  }

  get items(): Map<string, unknown> {
    return (this.#items ??= new Map());
  }
}
