/** The lag and the stopped streams of a perspective. */
export interface PerspectiveStanding {
  readonly perspective: string;
  /** How many streams are stopped. */
  readonly stopped: number;
  /** How many events it has not processed yet, including those that are held back; counted up to a limit. */
  readonly behind: number;
  /** The timestamp of the first of them, in milliseconds since 1970; null: there is none. */
  readonly oldest: number | null;
}
