import { AsyncResource } from 'node:async_hooks';
// Not the global one, which tests replace together with the clock.
import { setImmediate } from 'node:timers';

/** More at once would keep everything else that the process does waiting, and gain little. */
export const mostAtOnce = 64;

let waiting: Step[] = [];

/**
 * Runs an action when this turn of the event loop is over, together with all others that came up in the turn. Requests that are read from
 * many connections in one turn are then handled in step: what one of them needs, code above all, is still in the processor's caches when the
 * next one needs it. One by one, with everything between a socket and a socket in between, each would load it anew.
 */
export function inStep(action: () => void): void {
  if (waiting.push(new Step(action)) === 1) setImmediate(runWaiting);
}

/** An action, in the asynchronous context it came up in. */
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
      // As uncaught as it would have been alone; the others are not to suffer for it.
      process.nextTick(() => {
        throw error;
      });
    }
  }
}
