import type { ReceptorContext } from './receptor.js';

/** Middleware around every command. Behaviors run in the order of registration, the first one outermost. */
export interface PipelineBehavior {
  /**
   * Calls `next` once to run the command, and returns its response. Throwing, or not calling `next`, stops the command. `next` returns a
   * value or a promise: `await next()` handles both.
   */
  handle(context: ReceptorContext, next: () => unknown): unknown;
}
