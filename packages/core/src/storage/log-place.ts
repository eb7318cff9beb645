/** Where an event stands in the order of `readAll`. */
export interface LogPlace {
  readonly sequence: number;
  /** Which transaction kept it, where several write at once: they come first in the order. Absent: sequence numbers ascend. */
  readonly transaction?: number;
}

/** The place of one event, and the tenant that it counts for; '' for none. */
export interface EventPlace extends LogPlace {
  readonly tenant: string;
}

/** In front of every event. */
export const beforeEverything: LogPlace = { sequence: -1, transaction: -1 };

/** Below 0 when `a` is read before `b`, 0 when they are one event. */
export function comparePlaces(a: LogPlace, b: LogPlace): number {
  return (a.transaction ?? 0) - (b.transaction ?? 0) || a.sequence - b.sequence;
}
