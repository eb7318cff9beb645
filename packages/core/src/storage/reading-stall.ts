/** An open transaction that holds back the reading of all events. */
export interface ReadingStall {
  /** The process of the database that has it open; null when that is not known. */
  readonly pid: number | null;
  readonly openForSeconds: number | null;
  /** How many events wait for it; `mostHeldBack` + 1: more than that. */
  readonly heldBack: number;
}

/** How far events that wait are counted: a transaction may have been forgotten for days, and whoever asks wants an answer at once. */
export const mostHeldBack = 10_000;

/** How many events wait, as the beginning of a sentence. */
export function waitingEvents({ heldBack }: Pick<ReadingStall, 'heldBack'>): string {
  if (heldBack > mostHeldBack) return 'More than 10,000 events wait';
  return heldBack === 1 ? '1 event waits' : `${heldBack} events wait`;
}
