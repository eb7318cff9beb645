import { AsyncResource } from 'node:async_hooks';
// Not the global function, which tests replace together with the clock.
import { setImmediate } from 'node:timers';

/** More at once would delay everything else in the process and gain little. */
export const mostAtOnce = 64;

let waiting: Step[] = [];

/**
 * Runs an action at the end of this turn of the event loop, together with all others of the turn. The requests that many connections deliver in
 * one turn then run one after another, and find the code they share still in the processor's caches.
 */
export function inStep(action: () => void): void {
  if (waiting.push(new Step(action)) === 1) setImmediate(runWaiting);
}

/** An action with its asynchronous context. */
class Step extends AsyncResource {
  readonly #action: () => void;

  constructor(action: () => void) {
    super('SvcStep');
    this.#action = action;
  }

  run(): void {
    this.runInAsyncScope(this.#action);
  }
}

function runWaiting(): void {
  const steps = waiting;
  waiting = steps.splice(mostAtOnce);
  if (waiting.length > 0) setImmediate(runWaiting);
  for (const step of steps) {
    try {
      step.run();
    } catch (error) {
      // Rethrown as an uncaught exception, so that the other actions still run.
      process.nextTick(() => {
        throw error;
      });
    }
  }
}
