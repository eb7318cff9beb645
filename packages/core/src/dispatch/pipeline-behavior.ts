import type { ReceptorContext } from './receptor.js';

/** Runs around every command, in the order of registration, the first one outermost. */
export interface PipelineBehavior {
  /**
   * Calls `next` once to go on, and returns the response; throwing, or not calling it, stops the command. `next` may answer at once
   * or with a promise: `await next()` takes either.
   */
  handle(context: ReceptorContext, next: () => unknown): unknown;
}
