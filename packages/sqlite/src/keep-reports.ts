import { PerspectiveMovedError, type PerspectiveCommit, type RewindChanges } from '@svc/core/storage';
import { insertOutgoing } from './keep-record.js';
import { Numbers } from './numbers.js';
import type { Statements } from './statements.js';

/** Keeps what a batch of a perspective tells, and which rewinds are open then, inside its transaction. */
export function keepReports(sql: Statements, { perspective, from, rewinds, outgoing = [] }: PerspectiveCommit): void {
  if (rewinds !== undefined && !replaceRewinds(sql, rewinds)) {
    throw new PerspectiveMovedError(perspective, from.sequence, from.sequence);
  }
  if (outgoing.length > 0) insertOutgoing(sql, new Numbers(sql, []), outgoing);
}

/** False: those that are known are not what they were. */
function replaceRewinds(sql: Statements, { lane, known, open }: RewindChanges): boolean {
  const isGone = known.every((rewind) => sql.deleteRewind.run(lane, JSON.stringify(rewind)).changes === 1);
  return (
    isGone && open.every((rewind) => sql.insertRewind.run(lane, rewind.streamId, JSON.stringify(rewind)).changes === 1)
  );
}
