import { signalOf, type Cancellation } from '../dispatch/index.js';

/** Passed to every hook of one execution. */
export interface MutationContext {
  /** Cancellation of the request. */
  readonly signal: AbortSignal;
  /** State shared between the hooks; empty at the start of each execution. */
  readonly items: Map<string, unknown>;
}

/** Makes the signal and the items when a hook first asks for them: most executions never do. */
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
