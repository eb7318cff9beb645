import { comparePlaces, type LogPlace } from '../../storage/index.js';

/** The part of the log with an event that could not be applied: its batches are applied to stored models and committed one by one. */
export class CarefulStretch {
  #upTo: LogPlace | null = null;

  get isActive(): boolean {
    return this.#upTo !== null;
  }

  begin(upTo: LogPlace): void {
    if (this.#upTo === null || comparePlaces(this.#upTo, upTo) < 0) this.#upTo = upTo;
  }

  /** Called when everything up to a place is committed. */
  passed(place: LogPlace): void {
    if (this.#upTo !== null && comparePlaces(place, this.#upTo) >= 0) this.#upTo = null;
  }
}
