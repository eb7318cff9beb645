/** One code of the table: what it is called, and the sentence a user reads. */
export interface CodeEntry {
  /** What is wrong, in general; the heading of its section in docs/reference/diagnostics.md. */
  readonly title: string;
  /** What is wrong here, with the names involved, and then the mend. */
  readonly message: (...names: string[]) => string;
}
