/** The progress and the lag of a perspective or a segment. */
export interface SegmentStanding {
  /** The sequence number up to which it has processed events; -1: none. Of a divided perspective: that of the segment furthest behind. */
  readonly sequence: number;
  /** How many streams are stopped. */
  readonly stopped: number;
  /** How many events it has not processed yet, including those that are held back; counted up to a limit. */
  readonly behind: number;
  /** The timestamp of the first of them, in milliseconds since 1970; null: there is none. */
  readonly oldest: number | null;
}

/** The progress, the lag and the stopped streams of a perspective. */
export interface PerspectiveStanding extends SegmentStanding {
  readonly perspective: string;
}

/** How many events of the log pass per second between two standings, in any of its types. */
export function eventsPerSecond(before: SegmentStanding, after: SegmentStanding, ms: number): number {
  return Math.max(0, Math.round(((after.sequence - before.sequence) * 1_000) / ms));
}
