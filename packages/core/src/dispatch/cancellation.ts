import type { Uuid } from '../json/index.js';

/**
 * Says that a command is no longer wanted. Everywhere an `AbortSignal` will do; a transport passes a `DeferredSignal`, because
 * making a real signal costs more than the rest of a dispatch, and most commands never look at theirs.
 */
export type Cancellation = AbortSignal | DeferredSignal;

/** The request behind a real signal. */
const origins = new WeakMap<AbortSignal, DeferredSignal>();

/** An abort signal that is made when somebody asks for it. Hooks and receptors always get the real one. */
export class DeferredSignal {
  #controller: AbortController | undefined;
  #aborted = false;
  /** The last event that was kept for the request; undefined when none was. */
  lastEventId: Uuid | undefined;
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
      origins.set(this.#controller.signal, this);
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }
}

/** Lets the request that a command came with know which event was the last one it kept; where it is only a signal, of whoever it is. */
export function noteLastEvent(cancellation: Cancellation, eventId: Uuid): void {
  const request = cancellation instanceof DeferredSignal ? cancellation : origins.get(cancellation);
  if (request !== undefined) request.lastEventId = eventId;
}

export function signalOf(cancellation: Cancellation): AbortSignal {
  return cancellation instanceof DeferredSignal ? cancellation.signal : cancellation;
}
