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
  #listeners: Set<() => void> | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  /** Why it was aborted; undefined if it was not. */
  get reason(): unknown {
    return this.#reason;
  }

  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners ?? []) listener();
  }

  /** Calls a listener when it aborts, and returns a function that removes the listener. It creates no real signal. */
  onAbort(listener: () => void): () => void {
    const listeners = (this.#listeners ??= new Set()).add(listener);
    return () => void listeners.delete(listener);
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

/** A signal that aborts when another one does, until it is released. It costs nothing before it is used, unlike `AbortSignal.any`. */
export class LinkedSignal extends DeferredSignal {
  readonly #source: DeferredSignal;
  #unlink: (() => void) | undefined;
  #isReleased = false;

  constructor(source: DeferredSignal) {
    super();
    this.#source = source;
  }

  override get aborted(): boolean {
    return super.aborted || this.#source.aborted;
  }

  override throwIfAborted(): void {
    super.throwIfAborted();
    this.#source.throwIfAborted();
  }

  override onAbort(listener: () => void): () => void {
    this.#link();
    return super.onAbort(listener);
  }

  override get signal(): AbortSignal {
    this.#link();
    return super.signal;
  }

  /** From now on, this signal is on its own. */
  release(): void {
    this.#isReleased = true;
    this.#unlink?.();
  }

  #link(): void {
    if (this.#isReleased) return;
    this.#unlink ??= this.#source.onAbort(() => this.abort(this.#source.reason));
    if (this.#source.aborted) this.abort(this.#source.reason);
  }
}

/** The real signal of a cancellation. */
export function signalOf(cancellation: Cancellation): AbortSignal {
  return cancellation instanceof DeferredSignal ? cancellation.signal : cancellation;
}

/** Calls a listener when a command is cancelled, and returns a function that removes the listener. */
export function onAbort(cancellation: Cancellation, listener: () => void): () => void {
  if (cancellation instanceof DeferredSignal) return cancellation.onAbort(listener);
  cancellation.addEventListener('abort', listener);
  return () => cancellation.removeEventListener('abort', listener);
}
