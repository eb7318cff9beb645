import type { Uuid } from '../json/index.js';

/** An event of the log that a reaction has read, until everything before it and itself is done. */
export interface ReadEvent {
  readonly id: Uuid | null;
  readonly sequence: number;
  isDone: boolean;
  /** Whether it is recorded as processed. */
  isReacted: boolean;
}

/** The place that a reaction has passed, and the processed events before it. */
export interface Passed {
  readonly sequence: number;
  readonly reacted: readonly Uuid[];
}

/** The events that a reaction has read and not passed, in the order of the log. They are done in any order. */
export class PassedEvents {
  readonly #events: ReadEvent[] = [];
  readonly #byId = new Map<Uuid, ReadEvent>();

  /** `id` is null for a place in the log that is not an event of the reaction. */
  add(sequence: number, id: Uuid | null): ReadEvent {
    const event = { id, sequence, isDone: false, isReacted: false };
    this.#events.push(event);
    if (id !== null) this.#byId.set(id, event);
    return event;
  }

  /** An event that is read and not passed. */
  find(id: Uuid): ReadEvent | undefined {
    return this.#byId.get(id);
  }

  /** Removes the events at the beginning that are done; null: there are none. */
  take(): Passed | null {
    const open = this.#events.findIndex(({ isDone }) => !isDone);
    const passed = this.#events.splice(0, open === -1 ? this.#events.length : open);
    const last = passed.at(-1);
    if (last === undefined) return null;
    for (const { id } of passed) if (id !== null) this.#byId.delete(id);
    return { sequence: last.sequence, reacted: passed.flatMap(({ id, isReacted }) => (isReacted ? id! : [])) };
  }

  /** Whether `take` would return something. */
  get hasPassed(): boolean {
    return this.#events[0]?.isDone === true;
  }
}

/** Marks an event as done. */
export function done(event: ReadEvent, how: 'reacted' | 'skipped'): void {
  event.isDone = true;
  event.isReacted = how === 'reacted';
}
