/** The statements whose text core writes for all SQL databases. */

/** The prefix of a database's parameters: `$` for `$1`. */
export type ParameterMark = '$' | '?';

export type SqlValue = string | number | null;

/** A row as a database returns it: numbers may be text. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** A statement and its parameters. Without values the text may contain several statements. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}
