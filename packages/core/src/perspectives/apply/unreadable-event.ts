/** Replaces a stored event that cannot be read. Its stream stops when a perspective is about to apply it. */
export class UnreadableEvent {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}
