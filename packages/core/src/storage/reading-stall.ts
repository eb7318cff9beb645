/** An open transaction that holds back the reading of all events. */
export interface ReadingStall {
  /** The process of the database that has it open; null when that is not known. */
  readonly pid: number | null;
  readonly openForSeconds: number | null;
  /** How many events wait for it. */
  readonly heldBack: number;
}
