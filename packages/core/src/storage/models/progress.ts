import type { ModelTables } from './model-tables.js';

/** The progress of a perspective, or of a segment. */
export interface Progress {
  /** The sequence number up to which it has processed events; -1: none. Of divided tables: that of the segment that is furthest behind. */
  readonly sequence: number;
  /** Changes with every commit to its tables: a batch increases it by one. */
  readonly revision: number;
  /** The progress of each segment. Absent: the tables are whole. */
  readonly segments?: readonly Progress[];
  /** Its revision after the last commit that changed a model. Absent: any commit may have. */
  readonly changed?: number;
  /** Identifies the tables: those that replace them have another one. Revisions of different generations cannot be compared. */
  readonly generation?: string;
  /** Whether the models belong to another version than this host's. */
  readonly ofOtherVersion?: true;
  /** The tables it was read from, if the reader did not name them: changes are committed to them, and not to others at the same revision. */
  readonly tables?: ModelTables;
}

/**
 * Whether tables are unchanged since a progress was read. Tables that were removed and created again can have the same revision with another
 * sequence.
 */
export function isAt({ sequence, revision }: Progress, from: Progress): boolean {
  return revision === from.revision && sequence === from.sequence;
}
