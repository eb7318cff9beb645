/**
 * Values that decorators attach to classes. An outer decorator may replace the class, so the value is attached to the final class as well.
 */
export class ClassNotes<TNote> {
  readonly #notes = new WeakMap<object, TNote>();

  /** `context` is undefined if the decorator was called as a function: then no other class replaces it. */
  add(target: object, note: TNote, context: ClassDecoratorContext | undefined): void {
    const notes = this.#notes.set(target, note);
    context?.addInitializer(function () {
      notes.set(this, note);
    });
  }

  of(target: object): TNote | undefined {
    return this.#notes.get(target);
  }
}
