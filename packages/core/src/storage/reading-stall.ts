/** An open transaction that holds back the reading of all events. */
export interface ReadingStall {
  /** The process of the database that has it open; null: unknown. */
  readonly pid: number | null;
  readonly openForSeconds: number | null;
  /** How many events wait for it; `mostHeldBack` + 1: more than that. */
  readonly heldBack: number;
}

/** The limit to which waiting events are counted: a transaction may be open for days, and the count must stay cheap. */
export const mostHeldBack = 10_000;

/** How many events wait, as the beginning of a sentence. */
export function waitingEvents({ heldBack }: Pick<ReadingStall, 'heldBack'>): string {
  if (heldBack > mostHeldBack) return 'More than 10,000 events wait';
  return heldBack === 1 ? '1 event waits' : `${heldBack} events wait`;
}
