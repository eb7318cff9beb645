/** What statements of all SQL databases have in common, where core writes their text. */

/** What parameters of a database begin with: `$` for `$1`. */
export type ParameterMark = '$' | '?';

export type SqlValue = string | number | null;

/** A row as a database returns it: numbers may be text. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Without values the text may have several statements. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}
