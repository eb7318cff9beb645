/**
 * Says that a command is no longer wanted. Everywhere an `AbortSignal` will do; a transport passes a `DeferredSignal`, because
 * making a real signal costs more than the rest of a dispatch, and most commands never look at theirs.
 */
export type Cancellation = AbortSignal | DeferredSignal;

/** An abort signal that is made when somebody asks for it. Hooks and receptors always get the real one. */
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

export function signalOf(cancellation: Cancellation): AbortSignal {
  return cancellation instanceof DeferredSignal ? cancellation.signal : cancellation;
}
