import type { Decider } from '../deciders/index.js';
import type { Uuid } from '../json/index.js';
import { ProcessCompleted, ProcessEventIgnored, type ProcessAction, type ProcessAdvanced } from './process-events.js';

/** What the stream of an instance says about it. The state of the process is computed from the events that it names. */
export interface InstanceHistory {
  /** The processed events, in the order of their arrival. */
  readonly eventIds: readonly Uuid[];
  /** The names of the timeouts that were set and not cancelled. Those that are already due count too. */
  readonly timeouts: ReadonlySet<string>;
  readonly isCompleted: boolean;
}

type InstanceEvent = ProcessAdvanced | ProcessCompleted | ProcessEventIgnored;

/** An instance of any process, as a decider over its own stream: events of one instance wait for each other, and detect conflicts. */
export class ProcessInstance implements Decider<InstanceHistory, InstanceEvent> {
  initial(): InstanceHistory {
    return { eventIds: [], timeouts: new Set(), isCompleted: false };
  }

  evolve(history: InstanceHistory, event: InstanceEvent): InstanceHistory {
    if (event instanceof ProcessCompleted) return { ...history, isCompleted: true };
    if (event instanceof ProcessEventIgnored) return history;
    const { eventIds, timeouts } = history;
    return {
      ...history,
      eventIds: [...eventIds, event.eventId],
      timeouts: timeoutsAfter(timeouts, event.actions),
    };
  }
}

/** The names of the timeouts that are set after some actions. */
export function timeoutsAfter(before: ReadonlySet<string>, actions: readonly ProcessAction[]): ReadonlySet<string> {
  const timeouts = new Set(before);
  for (const { kind, name } of actions) {
    if (kind === 'timeoutSet') timeouts.add(name!);
    if (kind === 'timeoutCancelled') timeouts.delete(name!);
  }
  return timeouts;
}
