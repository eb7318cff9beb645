import type { PerspectiveTable } from './perspective-table.js';

/** A perspective as the database records it, of any service. */
export interface RecordedPerspective {
  readonly perspective: string;
  /** The sequence number up to which it has processed events; -1: none. */
  readonly sequence: number;
  /** The version of its models; null: unknown. */
  readonly version: string | null;
  /** The names of its indexed properties. */
  readonly indexed: readonly string[];
}

export function recordedPerspective(sequence: number, table: PerspectiveTable): RecordedPerspective {
  const { perspective, version = null, columns } = table;
  return { perspective, sequence, version, indexed: columns.map(({ name }) => name) };
}
