/** The lists of rows that most commits do not have. */
export type RareList =
  | 'keys'
  | 'deadLetters'
  | 'resolved'
  | 'renewed'
  | 'settled'
  | 'cancelled'
  | 'scheduled'
  | 'reacted'
  | 'steps';

/** Pieces of the commit statement: rows that it reads, reasons to refuse a record, and what it writes for other records. */
interface PartSql {
  readonly rows: string;
  readonly refusals: string;
  readonly writes: string;
}

/** A part of the commit statement for something that most records do not have. */
export interface CommitPart {
  /** Part of the name of the prepared statement. */
  readonly name: string;
  /** The lists that are its parameters. */
  readonly lists: readonly RareList[];
  /** Its pieces. `parameters`: `$5` and so on, one for each list. */
  sql(...parameters: readonly string[]): PartSql;
}

/** The pieces of some parts, whose parameters follow the first ones of the statement. */
export function combinedSql(parts: readonly CommitPart[], parametersBefore: number): PartSql {
  let used = parametersBefore;
  const all = parts.map((part) => part.sql(...part.lists.map(() => `$${++used}`)));
  const joined = (piece: keyof PartSql): string => all.map((sql) => sql[piece]).join('');
  return { rows: joined('rows'), refusals: joined('refusals'), writes: joined('writes') };
}
