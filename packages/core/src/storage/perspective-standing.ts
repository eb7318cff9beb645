/** How far a perspective is behind what has happened. */
export interface PerspectiveStanding {
  readonly perspective: string;
  /** How many streams it takes no more events of. */
  readonly stopped: number;
  /** How many events it has yet to take, those that are held back among them; counted up to a limit. */
  readonly behind: number;
  /** When the first of them happened, in milliseconds since 1970; null when there is none. */
  readonly oldest: number | null;
}
