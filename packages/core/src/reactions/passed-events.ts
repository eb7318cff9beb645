import type { Uuid } from '../json/index.js';
import type { LogPlace } from '../storage/index.js';

/** An event of the log that a reaction has read, until everything before it and itself is done. */
export interface ReadEvent {
  readonly id: Uuid | null;
  readonly segment: number;
  readonly place: LogPlace;
  isDone: boolean;
  /** Whether it is recorded as processed. */
  isReacted: boolean;
}

/** The place that a reaction has passed, and the processed events before it. */
export interface Passed {
  readonly place: LogPlace;
  readonly reacted: readonly { readonly id: Uuid; readonly segment: number }[];
}

/** The events that a reaction has read and not passed, in the order of the log. They are done in any order. */
export class PassedEvents {
  readonly #events: ReadEvent[] = [];
  readonly #byId = new Map<Uuid, ReadEvent>();

  add({ sequence, transaction }: LogPlace, id: Uuid, segment: number): ReadEvent {
    const place = transaction === undefined ? { sequence } : { sequence, transaction };
    const event = { id, segment, place, isDone: false, isReacted: false };
    this.#events.push(event);
    this.#byId.set(id, event);
    return event;
  }

  /** Adds a place in the log that is not an event of the reaction. */
  addPlace(place: LogPlace): void {
    this.#events.push({ id: null, segment: 0, place, isDone: true, isReacted: false });
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
    const reacted = passed.flatMap(({ id, segment, isReacted }) => (isReacted ? { id: id!, segment } : []));
    return { place: last.place, reacted };
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
