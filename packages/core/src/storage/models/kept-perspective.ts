import type { PerspectiveTable } from './perspective-table.js';

/** What is recorded of a perspective in the database, whichever service it belongs to. */
export interface KeptPerspective {
  readonly perspective: string;
  /** The sequence number up to which it has taken events; -1 when it has taken none. */
  readonly sequence: number;
  /** The version of its models; null when nobody has said which it is. */
  readonly version: string | null;
  /** The names of its indexed properties. */
  readonly indexed: readonly string[];
}

export function keptPerspective(sequence: number, table: PerspectiveTable): KeptPerspective {
  const { perspective, version = null, columns } = table;
  return { perspective, sequence, version, indexed: columns.map(({ name }) => name) };
}
