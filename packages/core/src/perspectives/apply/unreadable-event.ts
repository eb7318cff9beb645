/** Stands in the place of an event that is kept and cannot be read, until somebody is about to apply it: that stops its stream. */
export class UnreadableEvent {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}
