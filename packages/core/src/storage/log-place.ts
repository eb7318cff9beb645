/** The place of an event in the log, which is the order of `readAll`. */
export interface LogPlace {
  readonly sequence: number;
  /** The transaction that stored it, in databases with concurrent writers: the log is ordered by it first. Absent: by sequence only. */
  readonly transaction?: number;
}

/** The place of an event and its tenant; '' for none. */
export interface EventPlace extends LogPlace {
  readonly tenant: string;
}

/** The place before every event. */
export const beforeEverything: LogPlace = { sequence: -1, transaction: -1 };

/** Below 0 if `a` is before `b` in the log, 0 if they are the same event. */
export function comparePlaces(a: LogPlace, b: LogPlace): number {
  return (a.transaction ?? 0) - (b.transaction ?? 0) || a.sequence - b.sequence;
}
