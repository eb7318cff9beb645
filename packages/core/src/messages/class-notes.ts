/**
 * What decorators say of classes. A decorator further out may put another class in the place of the one that was decorated, so what is said
 * holds for the class that is there in the end as well.
 */
export class ClassNotes<TNote> {
  readonly #notes = new WeakMap<object, TNote>();

  /** `context` is the decorator's; without it, because it was called on the class, there is no other class. */
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
