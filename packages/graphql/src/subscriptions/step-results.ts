import type { LiveStep } from '@svc/core/hosting';
import type { WriteStep } from '@svc/http/hosting';
import type { Executor } from '../execution.js';
import { nextEvent } from '../http/event-stream.js';
import type { PreparedSubscription, Variables } from '../operations/index.js';
import type { RequestContext } from '../request-context.js';

type Results = Map<string, Promise<Buffer>>;

/** The results of steps as server-sent events, created once for all subscribers with the same document. */
export class StepResults {
  readonly #execute: Executor['executeStep'];
  readonly #known = new WeakMap<PreparedSubscription, WeakMap<LiveStep, Results>>();

  constructor(execute: Executor['executeStep']) {
    this.#execute = execute;
  }

  /** Writes the steps for one subscriber. `variables`: those of the selection. */
  writer(subscription: PreparedSubscription, variables: Variables, request: RequestContext): WriteStep {
    const key = JSON.stringify(variables);
    return async (step) => {
      const results = this.#of(subscription, step);
      let bytes = results.get(key);
      if (bytes === undefined) {
        bytes = this.#execute(subscription.step, variables, request, step).then((answer) =>
          Buffer.from(nextEvent(answer)),
        );
        results.set(key, bytes);
      }
      return await bytes;
    };
  }

  #of(subscription: PreparedSubscription, step: LiveStep): Results {
    let steps = this.#known.get(subscription);
    if (steps === undefined) this.#known.set(subscription, (steps = new WeakMap()));
    let results = steps.get(step);
    if (results === undefined) steps.set(step, (results = new Map()));
    return results;
  }
}
