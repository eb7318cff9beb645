/**
 * The cancellation of a command: an `AbortSignal`, or a `DeferredSignal`. HTTP requests pass the latter, because creating a real signal costs
 * more than the rest of a dispatch, and most commands never use it.
 */
export type Cancellation = AbortSignal | DeferredSignal;

/** An abort signal that is created on first use. Hooks and receptors always receive the real one. */
export class DeferredSignal {
  #controller: AbortController | undefined;
  #aborted = false;
  #reason: unknown;

  get aborted(): boolean {
    return this.#aborted;
  }

  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }
}

/** The real signal of a cancellation. */
export function signalOf(cancellation: Cancellation): AbortSignal {
  return cancellation instanceof DeferredSignal ? cancellation.signal : cancellation;
}
