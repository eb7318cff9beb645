/** One code of the table: its title, and the message that a user reads. */
export interface CodeEntry {
  /** What failed, in general; the heading of its section in docs/reference/diagnostics.md. */
  readonly title: string;
  /** What failed, with the names involved, and the fix. */
  readonly message: (...names: string[]) => string;
}
